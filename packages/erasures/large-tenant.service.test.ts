import { keys, put, update, type ErasureRow } from "@vitaline/store";
import type { PlatformContext, StoredRow } from "@vitaline/store/platform.ts";
import { createTenant } from "@vitaline/tenants";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { approveErasure, requestErasure, runErasure } from "./index.ts";

let it: TestAws;
beforeAll(async () => {
  it = await startTestAws();
});
afterAll(() => it.close());

const as = (id: string) => it.platform({ kind: "user", id, role: "system_admin" });
const fhirProviderId = "p".repeat(26);
/** A megabyte of audit rows, read and unmarshalled. */
const [msPerPage, rowsPerPage] = [200, 1500];
const lambdaMs = 900_000;
/** Two years of 1,000 calls a day with ten audit rows each: 7.3 million. */
const [months, rowsPerMonth] = [24, 300_000];

test("an erasure of a patient gets to its end in a tenant whose audit log takes longer to read than one invocation has", async () => {
  const { id: tenantId } = await createTenant(as("maker"), { name: "Clinic", contactEmail: "a@b.example", organizationType: "clinic" });
  const audit = { category: "configuration_change", action: "test", resourceType: "Test" } as const;
  await as("maker").platform.commit([put(keys.fhirProvider(fhirProviderId), { id: fhirProviderId, name: "EHR" } as never)], audit);
  const createdAt = new Date(Date.now() - months * 30 * 86_400_000).toISOString();
  await as("maker")
    .platform.inTenant(tenantId)
    .commit([update(keys.tenantConfig(), { set: { createdAt } })], audit);
  const { id } = await requestErasure(as("anna"), tenantId, {
    kind: "patient",
    fhirProviderId,
    patientId: "pat-1",
    reason: "patient_request",
  });
  await approveErasure(as("ben"), id);

  let left = lambdaMs;
  let read = 0;
  const given = (): PlatformContext => {
    const ctx = it.platform({ kind: "system", id: "erase" });
    return {
      ...ctx,
      pause: async () => {},
      deadline: { ...ctx.deadline, remainingMs: () => left },
      platform: {
        ...ctx.platform,
        async *stored(partition, index) {
          if (/#AUDIT#.*#patient_access$/.test(partition))
            for (let page = 0; page < rowsPerMonth / rowsPerPage; page++) {
              [left, read] = [left - msPerPage, read + 1];
              yield [{ pk: partition, sk: String(page), resourceType: "Patient", resourceId: "pat-2" } as StoredRow];
            }
          else yield* ctx.platform.stored(partition, index);
        },
      },
    };
  };
  const runs: { read: number; status: string | undefined }[] = [];
  for (let run = 0; run < 12 && runs.at(-1)?.status !== "done"; run++) {
    [left, read] = [lambdaMs, 0];
    await runErasure(given(), id);
    runs.push({ read, status: (await it.platform().platform.get<ErasureRow>(keys.erasure(id)))?.status });
  }
  expect(runs.at(-1)?.status, JSON.stringify(runs)).toBe("done");
}, 120_000);
