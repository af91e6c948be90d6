import { recordCallEvent } from "@vitaline/calls";
import { dayIn } from "@vitaline/core";
import { assignFhirProvider } from "@vitaline/fhir-providers";
import { keys, put, update } from "@vitaline/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tenantActivity } from "./index.ts";
import { startClinics } from "./system-health.fixture.ts";

let it: Awaited<ReturnType<typeof startClinics>>;
beforeEach(async () => {
  it = await startClinics();
});
afterEach(() => it.close());

const ids = () => it.tenants.map(({ id }) => id);
const none = {
  calls: 0,
  failedCalls: 0,
  resolvedCalls: 0,
  toolRuns: 0,
  failedToolRuns: 0,
  minutes: 0,
  bundledMinutes: null,
  lastCallAt: null,
};

test("tells each tenant's calls, failures, usage, last call and health, and mixes no two tenants", async () => {
  await it.probe();
  const [mine, others] = ids() as [string, string];
  const startedAt = new Date(Date.now() - 60_000).toISOString();
  await recordCallEvent(it.aws.inTenant(mine), { platform: "vapi", callId: "a", status: "completed", startedAt, durationSeconds: 90 });
  const day = `DAY#${dayIn(it.tenants[0].timeZone, new Date(startedAt))}`;
  const store = it.ctx.platform.inTenant(mine);
  const counts = { totalCalls: 5, successfulCalls: 3, resolvedCalls: 2, tool_getPatientInfo: 8, toolok_getPatientInfo: 2 };
  await store.writeUnaudited(put(keys.stats(day), { row: day, ...counts }));
  const month = `MONTH#${new Date().toISOString().slice(0, 7)}`;
  await store.writeUnaudited(put(keys.stats(month), { row: month, totalCalls: 5, durationSeconds: 600 }));
  await store.commit([update(keys.tenantDirectory(), { set: { plan: { name: "Light", monthlyPrice: 40, bundledMinutes: 150 } } })], {
    category: "configuration_change",
    action: "test",
    resourceType: "Tenant",
  });
  expect(await tenantActivity(it.ctx, ids())).toEqual([
    {
      tenantId: mine,
      ...{ calls: 5, failedCalls: 2, resolvedCalls: 2, toolRuns: 8, failedToolRuns: 6 },
      ...{ minutes: 10, bundledMinutes: 150, lastCallAt: startedAt },
      recordSystem: "healthy",
      voicePlatform: "healthy",
    },
    { tenantId: others, ...none, recordSystem: "error", voicePlatform: "error" },
  ]);
});

test("says who has no record system, and not that an unprobed one is well", async () => {
  const [mine] = ids() as [string, string];
  await assignFhirProvider(it.ctx, mine, null);
  expect((await tenantActivity(it.ctx, ids())).map(({ recordSystem, voicePlatform }) => [recordSystem, voicePlatform])).toEqual([
    ["missing", "unknown"],
    ["unknown", "unknown"],
  ]);
  expect(await tenantActivity(it.ctx, [])).toEqual([]);
});

test("reads the same at any number of calls", async () => {
  const reads = async () => {
    it.aws.resetUsage();
    await tenantActivity(it.ctx, ids());
    return it.aws.usage().length;
  };
  await reads();
  const before = await reads();
  for (let call = 0; call < 30; call++)
    await recordCallEvent(it.aws.inTenant(ids()[0]!), { platform: "vapi", callId: `call-${call}`, status: "completed" });
  expect(await reads()).toBe(before);
});
