import { recordCallEvent } from "@vitaline/calls";
import { approveErasure, readErasure, requestErasure, runErasure } from "@vitaline/erasures";
import { dueShards, keys, put, type DueRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import { createTenant } from "@vitaline/tenants";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { handler } from "./handler.ts";

let it: TestAws;
/** Starts of events/erase that were not run yet. */
let begun = 0;
beforeEach(async () => {
  it = await startTestAws();
  process.env["RETAIN_FUNCTION"] = "retain";
  // As Lambda accepts an asynchronous event
  it.fault(({ service }) => (service === "lambda" && ++begun ? { status: 202, code: "Accepted", message: "" } : undefined));
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.useFakeTimers({ toFake: ["Date"], shouldAdvanceTime: true, advanceTimeDelta: 1 });
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await it.close();
});

const fhirProviderId = "p".repeat(26);
const as = (id: string) => it.platform({ kind: "user", id, role: "system_admin" });
const dueRows = async (): Promise<DueRow[]> =>
  (await Promise.all(dueShards.map((shard) => it.platform().platform.query<DueRow>(partitions.due(shard))))).flatMap(({ rows }) => rows);

test("an erasure that waits for the end of a call has one due row, and is started about once in ten minutes", async () => {
  const audit = { category: "configuration_change", action: "test", resourceType: "Test" } as const;
  const { id: tenantId } = await createTenant(as("maker"), { name: "Clinic", contactEmail: "a@b.example", organizationType: "clinic" });
  await as("maker").platform.commit([put(keys.fhirProvider(fhirProviderId), { id: fhirProviderId, name: "EHR" } as never)], audit);
  await recordCallEvent(it.inTenant(tenantId), { platform: "vapi", callId: "live", status: "in_progress" });
  await it.inTenant(tenantId).store.commit([], {
    ...{ category: "patient_access", action: "test.act", resourceType: "Patient", resourceId: "pat-1" },
    ...{ callKey: keys.callKeyOf("vapi", "live"), detail: { fhirProviderId } },
  });
  const { id } = await requestErasure(as("anna"), tenantId, {
    kind: "patient",
    fhirProviderId,
    patientId: "pat-1",
    reason: "patient_request",
  });
  await approveErasure(as("ben"), id);

  const begunAt = Date.now();
  const seen: [minute: number, starts: number, dueRows: number][] = [];
  let starts = 0;
  for (let minute = 0; minute <= 120; minute++) {
    vi.setSystemTime(begunAt + minute * 60_000);
    if (minute > 0)
      await handler(
        {},
        { awsRequestId: "retry", functionName: "retry", invokedFunctionArn: "retry", getRemainingTimeInMillis: () => 55_000 },
      );
    starts += begun;
    for (; begun > 0; begun--) {
      vi.setSystemTime(Date.now() + 50);
      await runErasure({ ...it.platform({ kind: "system", id: "erase" }), pause: async () => {} }, id);
    }
    if (minute % 10 === 0) seen.push([minute, starts, (await dueRows()).filter(({ kind }) => kind === "erasure").length]);
  }
  expect((await readErasure(as("anna"), id)).status).toBe("erasing");
  // The row of the waiting period's end, and the one that continues
  expect(seen.at(-1)![2]).toBeLessThanOrEqual(3);
  expect(starts).toBeLessThanOrEqual(20);
}, 180_000);
