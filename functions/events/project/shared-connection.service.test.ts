import { setTimeout as sleep } from "node:timers/promises";
import { keys, put, type FhirHealthRow, type FhirProviderRow } from "@vitaline/store";
import { newId } from "@vitaline/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { projectToDo } from "./projections/to-do.ts";

let it: TestAws;
beforeEach(async () => {
  it = await startTestAws();
});
afterEach(() => it.close());

const [tenants, sample] = [10_000, 150];
/** DynamoDB's usual answer. */
const delayMs = 5;
const timeoutMs = 60_000;

test("the failure of a record system that all tenants share is projected within the function's minute", async () => {
  const ctx = it.platform({ kind: "system", id: "project" });
  const connectionId = newId();
  const audit = { category: "configuration_change", action: "test", resourceType: "Test" } as const;
  await ctx.platform.commit([put(keys.fhirProvider(connectionId), { id: connectionId, isActive: true } as FhirProviderRow)], audit);
  await ctx.platform.writeUnaudited(put(keys.fhirHealth(connectionId), { history: [] } as unknown as FhirHealthRow));
  for (let at = 0; at < sample; at++) {
    const tenantId = newId();
    await ctx.platform.commit([put(keys.fhirUsedBy(connectionId, tenantId, "-"), { tenantId } as never)], audit);
  }
  let [requests, open, atOnce] = [0, 0, 0];
  it.fault(async ({ service }) => {
    if (service !== "dynamodb") return undefined;
    requests += 1;
    atOnce = Math.max(atOnce, ++open);
    await sleep(delayMs);
    open -= 1;
    return undefined;
  });
  await projectToDo(ctx, [{ kind: "recheck", connectionId, at: new Date().toISOString(), hasFailed: true }]);
  it.fault();
  const ms = (requests / sample) * tenants * (delayMs / atOnce);
  expect(Math.round(ms), `${requests} requests for ${sample} tenants, ${atOnce} at once`).toBeLessThan(timeoutMs);
});
