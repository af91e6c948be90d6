import { createFhirProvider, probeFhirProvider } from "@vitaline/fhir-providers";
import { keys, update } from "@vitaline/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { complianceMetrics, userActivity } from "./metrics.ts";

let it: TestAws;
beforeEach(async () => {
  it = await startTestAws();
});
afterEach(() => it.close());

const dayMs = 86_400_000;
/** Counters as the projection writes them. */
const count = (row: string, counts: Record<string, number>) =>
  it.platform().platform.writeUnaudited(update(keys.platformStats(row), { add: counts, set: { row } }));
const day = (ago: number) => `DAY#${new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10)}`;

test("without data a percentage is null, not a hundred", async () => {
  expect(await complianceMetrics(it.platform())).toMatchObject({ auditScore: null, dataIntegrity: null, accessControl: null });
  expect(await userActivity(it.platform(), 20)).toEqual({
    activeUsers: 0,
    loginCount: 0,
    failedLogins: 0,
    dayBoundary: "UTC",
    recentActions: [],
  });
});

test("rows archived after the last verification do not change its result", async () => {
  await count("TOTAL", { chainedRows: 10, verifiedRows: 10, intactRows: 10, verifiedChains: 1, intactChains: 1 });
  expect(await complianceMetrics(it.platform())).toMatchObject({ auditScore: 100, dataIntegrity: 100 });
  await count("TOTAL", { chainedRows: 90 });
  expect(await complianceMetrics(it.platform())).toMatchObject({ auditScore: 100, dataIntegrity: 100 });
  await count("TOTAL", { chainedRows: -100, verifiedRows: -10, intactRows: -10, verifiedChains: -1, intactChains: -1 });
});

test("percentages and today's numbers come from the counters, in one round trip of one small read each", async () => {
  await count("TOTAL", { chainedRows: 1000, verifiedRows: 200, intactRows: 150, verifiedChains: 4, intactChains: 3 });
  await count(day(0), { accessAllowed: 60, accessDenied: 10, logins: 7, failedLogins: 2, activeUsers: 3 });
  await count(day(29), { accessAllowed: 15, accessDenied: 15, logins: 5 });
  await count(day(30), { accessAllowed: 0, accessDenied: 1000 });
  it.resetUsage();
  expect(await complianceMetrics(it.platform())).toMatchObject({ auditScore: 75, dataIntegrity: 75, accessControl: 75 });
  expect(
    it
      .usage()
      .map(({ operation }) => operation)
      .toSorted(),
  ).toEqual(["GetItem", ...Array.from({ length: 1 + keys.platformStatsParts.length }, () => "Query"), "Query"]);
  expect(await userActivity(it.platform(), 20)).toMatchObject({ activeUsers: 3, loginCount: 7, failedLogins: 2 });
});

test("only active record systems count, with tests since their last change", async () => {
  const ctx = it.platform();
  const reachable = async () => {
    const { checks } = await complianceMetrics(ctx);
    const { ok, detail } = checks.find(({ id }) => id === "record-systems-reachable")!;
    return [ok, detail];
  };
  const add = async (name: string) => {
    // A base URL with a placeholder is not called, so the probe fails
    const form = { providerType: "custom", fhirVersion: "R4", clientId: "client", scopes: "system/Patient.rs", isActive: false } as const;
    const { id } = await createFhirProvider(ctx, { ...form, name, baseUrl: "https://ehr.example.com/{tenant}/fhir" });
    await probeFhirProvider(ctx, (await ctx.platform.get(keys.fhirProvider(id)))!);
    await change(id, { isActive: true });
    return id;
  };
  const change = (id: string, set: object) =>
    ctx.platform.commit([update(keys.fhirProvider(id), { set })], {
      category: "configuration_change",
      action: "test",
      resourceType: "FhirProvider",
    });
  const [well, ill] = [await add("One"), await add("Two")];
  await ctx.platform.writeUnaudited(update(keys.fhirHealth(well), { set: { status: "healthy" } }));
  expect(await reachable()).toEqual([false, "1 of 2 answered"]);
  await change(ill, { isActive: false });
  expect(await reachable()).toEqual([true, "1 of 1 answered"]);
  await change(ill, { isActive: true, clientId: "another" });
  expect(await reachable()).toEqual([null, "1 of 1 answered; 1 not tested since changed or added"]);
  await change(well, { isActive: false });
  await change(ill, { isActive: false });
  expect(await reachable()).toEqual([null, "None has been tested yet"]);
});
