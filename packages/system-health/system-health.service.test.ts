import { ChangedVoiceProvider } from "@vitaline/contract";
import { fhirHealthStatus, readFhirProviders } from "@vitaline/fhir-providers";
import { allRows, keys, put, type TenantContext, update, type VoiceHealthRow } from "@vitaline/store";
import { deleteVoiceProvider, updateVoiceProvider } from "@vitaline/voice-providers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { platformHealth, probeAll, probeSome, tenantHealth } from "./index.ts";
import { publicHealth, statusHistory } from "./platform-status.ts";
import { goodKey, startClinics } from "./system-health.fixture.ts";

let it: Awaited<ReturnType<typeof startClinics>>;
beforeEach(async () => {
  it = await startClinics();
});
afterEach(() => it.close());

const audited = { category: "configuration_change", action: "test", resourceType: "FhirProvider" } as const;
const minutes = (count: number): number => count * 60_000;
const day = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
const serviceNamed = ({ services }: { services: { name: string; responseTime: number | null }[] }, name: string) =>
  services.find((service) => service.name === name);

test("a connection that was never probed is unknown, and its numbers are null", async () => {
  const health = await tenantHealth(it.ctx, it.tenants[0]);
  expect(health).toMatchObject({
    overallStatus: "unknown",
    uptime: null,
    uptimeSince: null,
    apiResponseTime: null,
    voiceAgentStatus: "unknown",
    fhirConnectivity: "unknown",
    databaseStatus: "unknown",
    lastUpdated: null,
  });
  expect(health.services.map(({ name }) => name)).toEqual(["API", "Database", "File storage", "Encryption", "EHR of Clinic 1", "Our Vapi"]);
  for (const service of health.services) expect(service).toMatchObject({ status: "unknown", responseTime: null });
  expect(await publicHealth(it.ctx)).toMatchObject({ status: "ok" });
});

describe("after a probe", () => {
  beforeEach(() => it.probe());

  test("each tenant sees the platform's parts and its own connections, with measured values, and nothing of another tenant", async () => {
    const [well, ill] = await Promise.all(it.tenants.map((tenant) => tenantHealth(it.ctx, tenant)));
    expect(well).toMatchObject({
      overallStatus: "healthy",
      voiceAgentStatus: "healthy",
      fhirConnectivity: "healthy",
      databaseStatus: "healthy",
      uptime: 100,
      uptimeSince: day(0),
    });
    expect(ill).toMatchObject({
      overallStatus: "warning",
      voiceAgentStatus: "error",
      fhirConnectivity: "error",
      databaseStatus: "healthy",
      uptime: 100,
    });
    for (const service of [...well!.services, ...ill!.services]) expect(service.responseTime).toBeTypeOf("number");
    expect(well!.apiResponseTime).toBeGreaterThanOrEqual(it.apiMs);
    expect(well!.apiResponseTime).toBe(serviceNamed(well!, "API")!.responseTime);
    expect(Date.parse(well!.lastUpdated!)).toBeLessThanOrEqual(Date.now());
    expect(JSON.stringify(well)).not.toContain("Clinic 2");
  });

  test("the history of each record system's connection has the probe", async () => {
    const { providers } = await fhirHealthStatus(it.ctx);
    expect(providers.map(({ name, history }) => [name, history.map(({ status }) => status)])).toEqual([
      ["EHR of Clinic 1", ["healthy"]],
      ["EHR of Clinic 2", ["unhealthy"]],
    ]);
  });

  test("the console sees the same parts, and counts all tenants' connections by state", async () => {
    expect(await platformHealth(it.ctx)).toMatchObject({
      overallStatus: "warning",
      fhirConnectivity: "warning",
      voiceAgentStatus: "warning",
      fhirProviders: { healthy: 1, warning: 0, error: 1, unknown: 0 },
      voiceProviders: { healthy: 1, warning: 0, error: 1, unknown: 0 },
    });
  });

  test("a result becomes stale without a later one, and missed probes count as failed", async () => {
    const later = await tenantHealth(it.at(minutes(21)), it.tenants[0]);
    expect(later).toMatchObject({
      overallStatus: "unknown",
      voiceAgentStatus: "unknown",
      fhirConnectivity: "unknown",
      apiResponseTime: null,
      // One of four, as three are overdue
      uptime: 25,
    });
    expect(later.lastUpdated).not.toBeNull();
  });

  test("a connection that was changed or deactivated since is unknown; an inactive one is not called", async () => {
    const [{ id }] = it.voice;
    const store = it.ctx.platform.inTenant(it.tenants[0].id);
    const change = (set: object) =>
      store.commit([update(keys.voiceProvider(id), { set })], {
        category: "configuration_change",
        action: "test",
        resourceType: "VoiceProvider",
      });
    const status = async () => (await tenantHealth(it.ctx, it.tenants[0])).voiceAgentStatus;
    await change({ version: 2 });
    expect(await status()).toBe("unknown");
    await change({ version: 1, isActive: false });
    expect(await status()).toBe("unknown");
    const before = it.asked();
    await it.probe();
    // Only the other tenant's was called
    expect(it.asked()).toBe(before + 1);
    await change({ isActive: true });
    expect(await status()).toBe("healthy");
  });

  test("of a voice platform that was deactivated or deleted the next probe removes the result, and of no other", async () => {
    const [mine, others] = it.voice;
    const result = (id: string) => it.ctx.platform.get(keys.voiceHealth(id));
    const off = async (ctx: TenantContext, id: string) =>
      updateVoiceProvider(ctx, id, ChangedVoiceProvider.parse({ isActive: false }), undefined);
    const [one, two] = it.tenants.map(({ id }) => it.aws.inTenant(id)) as [TenantContext, TenantContext];
    expect([(await result(mine.id))?.status, (await result(others.id))?.status]).toEqual(["healthy", "error"]);
    await off(two, others.id);
    await it.probe();
    expect([(await result(mine.id))?.status, await result(others.id)]).toEqual(["healthy", undefined]);
    await updateVoiceProvider(two, others.id, ChangedVoiceProvider.parse({ isActive: true }), undefined);
    await it.probe();
    expect((await result(others.id))?.status).toBe("error");
    await off(one, mine.id);
    await deleteVoiceProvider(one, mine.id, undefined);
    await it.probe();
    expect([await result(mine.id), (await result(others.id))?.status]).toEqual([undefined, "error"]);
  });

  test("results that cannot be removed hold up no probe, and the next one removes them", async () => {
    const [mine, others] = it.voice;
    const row = (await it.ctx.platform.get(keys.voiceHealth(mine.id)))!;
    const ended = "0123456789abcdefghjkmnpqrs";
    await it.ctx.platform.writeUnaudited(put(keys.voiceHealth(ended), { ...row, id: ended }));
    const before = it.asked();
    it.aws.fault(({ service, operation }) =>
      service === "dynamodb" && operation === "DeleteItem" ? { status: 500, code: "InternalServerError", message: "later" } : undefined,
    );
    await it.probe();
    it.aws.fault();
    expect(it.asked()).toBe(before + 2);
    expect(await it.ctx.platform.get(keys.voiceHealth(ended))).toBeDefined();
    await it.probe();
    expect(await it.ctx.platform.get(keys.voiceHealth(ended))).toBeUndefined();
    expect(await it.ctx.platform.get(keys.voiceHealth(others.id))).toBeDefined();
  });

  test("a platform that limits requests is a warning", async () => {
    const { id } = await it.addVoice(it.tenants[1].id, goodKey, "/limited");
    await it.probe();
    expect(await it.ctx.platform.get(keys.voiceHealth(id))).toMatchObject({ status: "warning", code: "voice_platform_rate_limited" });
  });

  test("an internal failure does not change a connection's last result", async () => {
    const [{ id }] = it.voice;
    const before = await it.ctx.platform.get(keys.voiceHealth(id));
    it.aws.fault(({ service, operation }) =>
      service === "kms" && operation === "Decrypt" ? { status: 400, code: "AccessDeniedException", message: "no" } : undefined,
    );
    await it.probe();
    expect(await it.ctx.platform.get(keys.voiceHealth(id))).toEqual(before);
  });
});

test("a part that does not answer is in error for everyone, the others are still probed, and uptime decreases", async () => {
  await it.probe();
  const rows = async () => (await it.ctx.platform.get(keys.healthDay(day(0))))!;
  const before = await rows();
  it.aws.fault(({ service }) => (service === "s3" ? { status: 503, code: "SlowDown", message: "later" } : undefined));
  await it.probe();
  it.aws.fault();
  expect(await rows()).toMatchObject({ probes: before.probes + 1, healthy: before.healthy });
  const health = await tenantHealth(it.ctx, it.tenants[0]);
  expect(health).toMatchObject({
    overallStatus: "error",
    databaseStatus: "healthy",
    uptime: Math.floor((before.healthy / (before.probes + 1)) * 10_000) / 100,
  });
  expect(serviceNamed(health, "File storage")).toMatchObject({ status: "error" });
  expect(await publicHealth(it.ctx)).toMatchObject({ status: "degraded" });
  expect(Object.keys(await publicHealth(it.ctx))).toEqual(["status", "time"]);
  await it.probe();
  expect((await tenantHealth(it.ctx, it.tenants[0])).overallStatus).toBe("healthy");
});

test("an API that does not answer is in error, and its response time is unknown", async () => {
  await it.probe(it.ctx, () => Promise.reject(new Error("no")));
  const health = await tenantHealth(it.ctx, it.tenants[0]);
  expect(health).toMatchObject({ overallStatus: "error", apiResponseTime: null, databaseStatus: "healthy" });
  expect(serviceNamed(health, "API")).toMatchObject({ status: "error" });
  await it.probe();
  expect((await tenantHealth(it.ctx, it.tenants[0])).apiResponseTime).toBeTypeOf("number");
});

test("the console reads the probe's counts with two table requests, regardless of the number of connections", async () => {
  await it.addVoice(it.tenants[1].id, goodKey, "/limited");
  await it.probe();
  it.aws.resetUsage();
  const { fhirProviders, voiceProviders } = await platformHealth(it.ctx);
  expect(
    it.aws
      .usage()
      .map(({ operation }) => operation)
      .toSorted(),
  ).toEqual(["GetItem", "Query"]);
  expect([fhirProviders, voiceProviders]).toEqual([
    { healthy: 1, warning: 0, error: 1, unknown: 0 },
    { healthy: 1, warning: 1, error: 1, unknown: 0 },
  ]);
  // The total of outdated counts stays the same
  expect(await platformHealth(it.at(minutes(21)))).toMatchObject({
    fhirConnectivity: "unknown",
    fhirProviders: { healthy: 0, warning: 0, error: 0, unknown: 2 },
    voiceProviders: { healthy: 0, warning: 0, error: 0, unknown: 3 },
  });
});

test("a record system that was deactivated or changed since is not counted with its old state", async () => {
  const { row } = (await readFhirProviders(it.ctx))[0]!;
  const change = (set: object) => it.ctx.platform.commit([update(keys.fhirProvider(row.id), { set })], audited);
  await change({ isActive: false });
  await it.probe();
  expect((await platformHealth(it.ctx)).fhirProviders).toEqual({ healthy: 0, warning: 0, error: 1, unknown: 0 });
  await change({ isActive: true });
  await it.probe();
  expect((await platformHealth(it.ctx)).fhirProviders).toEqual({ healthy: 1, warning: 0, error: 1, unknown: 0 });
});

test("each connection has its own history by day, which the console reads with one more query", async () => {
  for (let probes = 0; probes < 2; probes++) await it.probe();
  const [good, refused] = it.voice;
  it.aws.resetUsage();
  const [well, ill] = [await platformHealth(it.ctx, good.id), await platformHealth(it.ctx, refused.id)];
  expect(
    it.aws
      .usage()
      .map(({ operation }) => operation)
      .toSorted(),
  ).toEqual(["GetItem", "GetItem", "Query", "Query", "Query", "Query"]);
  const [one] = well.history;
  expect([well.history.length, one!.date, one!.successful]).toEqual([1, day(0), one!.probes]);
  expect(one!.averageMs).toBeTypeOf("number");
  expect(ill.history).toMatchObject([{ successful: 0, averageMs: null }]);
  expect(ill.history[0]!.probes).toBeGreaterThan(1);
  const { row } = (await readFhirProviders(it.ctx))[0]!;
  const before = (await platformHealth(it.ctx, row.id)).history;
  expect(before).toMatchObject([{ date: day(0), averageMs: expect.any(Number) }]);
  await it.probe();
  const [after] = (await platformHealth(it.ctx, row.id)).history;
  expect([after!.probes, after!.successful]).toEqual([before[0]!.probes + 1, before[0]!.successful + 1]);
  expect((await platformHealth(it.ctx, "0123456789abcdefghjkmnpqrs")).history).toEqual([]);
});

test("a day of probes is kept for ninety days", async () => {
  await it.probe();
  const seconds = Math.floor(Date.now() / 1000);
  for (const key of [keys.healthDay(day(0)), keys.connectionDay(it.voice[0].id, day(0))]) {
    const { expiresAt } = (await it.ctx.platform.get(key))!;
    expect(expiresAt - seconds).toBeGreaterThan(89.9 * 86_400);
    expect(expiresAt - seconds).toBeLessThanOrEqual(90 * 86_400);
  }
});

test("probes during an outage of the table count as failed afterwards", async () => {
  await it.probe();
  const before = (await tenantHealth(it.ctx, it.tenants[0])).uptime!;
  const total = async () => (await platformHealth(it.at(minutes(61)))).history.reduce((sum, { probes }) => sum + probes, 0);
  const probes = await total();
  it.aws.fault(({ service }) => (service === "dynamodb" ? { status: 500, code: "InternalServerError", message: "later" } : undefined));
  await expect(it.probe(it.at(minutes(30)))).rejects.toMatchObject({ code: "unavailable" });
  it.aws.fault();
  await it.probe(it.at(minutes(60)));
  // Twelve were due in this hour, one arrived
  expect(await total()).toBe(probes + 12);
  expect((await tenantHealth(it.at(minutes(61)), it.tenants[0])).uptime).toBeLessThan(before);
});

test("uptime covers only the last thirty days, read in one query of at most 30 rows", async () => {
  await it.probe();
  for (let daysAgo = 1; daysAgo <= 60; daysAgo++)
    await it.ctx.platform.writeUnaudited(
      put(keys.healthDay(day(daysAgo)), { date: day(daysAgo), probes: 100, healthy: daysAgo < 30 ? 99 : 0, expiresAt: 4e9 }),
    );
  const today = (await it.ctx.platform.get(keys.healthDay(day(0))))!;
  it.aws.resetUsage();
  const { uptime } = await tenantHealth(it.ctx, it.tenants[0]);
  expect(uptime).toBe(Math.floor(((29 * 99 + today.healthy) / (29 * 100 + today.probes)) * 10_000) / 100);
  const costs = it.aws.usage();
  expect(costs.every(({ writeUnits }) => writeUnits === 0)).toBe(true);
  // Parts 1 + uptime 0.5 to 1, own and office EHRs, voice providers, the health of each, offices without an EHR, and tool runs
  expect(costs.map(({ operation }) => operation).toSorted()).toEqual([
    "BatchGetItem",
    "BatchGetItem",
    "BatchGetItem",
    "BatchGetItem",
    "GetItem",
    "Query",
    "Query",
    "Query",
    "Query",
    "Query",
    "Query",
  ]);
});

test("the public history has the days of the uptime, and neither response times nor connections", async () => {
  const components = ["API", "Database", "File storage", "Encryption"].map((name) => ({ name, days: [] }));
  expect(await statusHistory(it.ctx)).toEqual({ uptime: null, days: [], components, incidents: [] });
  await it.probe();
  await it.ctx.platform.writeUnaudited(put(keys.healthDay(day(1)), { date: day(1), probes: 288, healthy: 280, ms: 9000, expiresAt: 4e9 }));
  await it.ctx.platform.writeUnaudited(put(keys.healthDay(day(31)), { date: day(31), probes: 288, healthy: 0, expiresAt: 4e9 }));
  const { uptime, days, components: counted } = await statusHistory(it.ctx);
  expect(uptime).toBe((await tenantHealth(it.ctx, it.tenants[0])).uptime);
  // The day of an earlier release has no counts by component.
  expect(counted.every(({ days: [first, ...more] }) => first?.date === day(0) && more.length === 0)).toBe(true);
  expect(days).toEqual([
    { date: day(1), probes: 288, successful: 280 },
    { date: day(0), probes: expect.any(Number) as number, successful: expect.any(Number) as number },
  ]);
});

test("the public history counts each component by itself, and lists from when to when its probes failed, and when none took place", async () => {
  const noFiles = ({ service }: { service: string }) =>
    service === "s3" ? { status: 503, code: "SlowDown", message: "later" } : undefined;
  const at = (count: number) => it.at(minutes(count));
  await it.probe(at(0));
  it.aws.fault(noFiles);
  await it.probe(at(5));
  await it.probe(at(10));
  const lasting = await statusHistory(at(11));
  expect(lasting.incidents).toEqual([{ component: "File storage", startedAt: expect.any(String), endedAt: null }]);
  it.aws.fault();
  await it.probe(at(15));
  await it.probe(at(35));
  const { components, incidents } = await statusHistory(at(36));
  const sums = components.map(({ name, days }) => [
    name,
    days.reduce((sum, { successful }) => sum + successful, 0),
    days.reduce((sum, { probes }) => sum + probes, 0),
  ]);
  // Five took place, three were missed.
  expect(sums).toEqual([
    ["API", 5, 8],
    ["Database", 5, 8],
    ["File storage", 3, 8],
    ["Encryption", 5, 8],
  ]);
  const lasted = incidents.map(({ component, startedAt, endedAt }) => [
    component,
    Math.round((Date.parse(endedAt ?? "") - Date.parse(startedAt)) / 60_000),
  ]);
  expect(lasted).toEqual([
    [null, 15],
    ["File storage", 10],
  ]);
  expect(incidents[1]!.startedAt).toBe(lasting.incidents[0]!.startedAt);
  const overdue = await statusHistory(at(50));
  expect(overdue.incidents[0]).toEqual({ component: null, startedAt: expect.any(String), endedAt: null });
  // Two more are overdue, for the platform and for each component.
  const due = [overdue, ...overdue.components].map(({ days }) => days.reduce((sum, { probes }) => sum + probes, 0));
  expect(due).toEqual([10, 10, 10, 10, 10]);
  expect(overdue.uptime).toBe(30);
});

test("the public history has its incidents newest first, also one that began before its days and ended in them", async () => {
  const incident = (part: "api" | "database", from: number, until: number) => {
    const [startedAt, endedAt] = [from, until].map((daysAgo) => new Date(Date.now() - daysAgo * 86_400_000).toISOString()) as [
      string,
      string,
    ];
    return it.ctx.platform.writeUnaudited(put(keys.healthIncident(startedAt, part), { part, startedAt, endedAt, expiresAt: 4e9 }));
  };
  await incident("database", 40, 35);
  await incident("api", 33, 10);
  it.aws.fault(({ service }) => (service === "s3" ? { status: 503, code: "SlowDown", message: "later" } : undefined));
  await it.probe(it.at(-2 * 86_400_000));
  await incident("database", 1, 0.5);
  const { incidents } = await statusHistory(it.at(-2 * 86_400_000 + minutes(1)));
  expect(incidents.map(({ component, endedAt }) => [component, endedAt === null])).toEqual([
    ["File storage", true],
    ["API", false],
  ]);
  const later = (await statusHistory(it.ctx)).incidents;
  expect(later.map(({ startedAt }) => startedAt)).toEqual(
    later
      .map(({ startedAt }) => startedAt)
      .toSorted()
      .toReversed(),
  );
  expect(later[0]).toMatchObject({ component: "Database" });
});

test("an unreadable table is reported as degraded, not as an error", async () => {
  it.aws.fault(({ service }) => (service === "dynamodb" ? { status: 500, code: "InternalServerError", message: "later" } : undefined));
  expect(await publicHealth(it.ctx)).toMatchObject({ status: "degraded" });
});

test("A13: connections that are left to other invocations are probed by them alone, of every tenant, and the next run knows the oldest", async () => {
  const connections: { id: string; tenantId?: string | undefined }[] = [];
  const leave = async (all: readonly (typeof connections)[number][]) => (connections.push(...all), []);
  expect(await probeAll(it.ctx, async () => {}, leave)).toBeUndefined();
  expect(it.asked()).toBe(0);
  expect((await tenantHealth(it.ctx, it.tenants[0])).databaseStatus).toBe("healthy");
  await probeSome(it.ctx, connections);
  const [mine, others] = [await tenantHealth(it.ctx, it.tenants[0]), await tenantHealth(it.ctx, it.tenants[1])];
  expect([mine.fhirConnectivity, mine.voiceAgentStatus]).toEqual(["healthy", "healthy"]);
  expect([others.fhirConnectivity, others.voiceAgentStatus]).toEqual(["error", "error"]);
  const [first] = (await readFhirProviders(it.ctx)).flatMap(({ health }) => health?.checkedAt ?? []).toSorted();
  const oldest = await probeAll(it.ctx, async () => {}, leave);
  expect(oldest !== undefined && oldest <= (first ?? "")).toBe(true);
});

/** As many as one invocation begins at once; then its time is over. */
const perRun = 8;

test("connections that are handed out are all probed within a few runs, although no share gets to its end", async () => {
  const [tenant] = it.tenants;
  for (let at = 0; at < 8; at++) await it.addVoice(tenant.id, goodKey);
  type Connections = Parameters<typeof probeSome>[1];
  for (let run = 0; run < 4; run++) {
    const share: Connections[number][] = [];
    await probeAll(
      it.ctx,
      async () => {},
      async (all) => (share.push(...all), []),
    );
    expect(share).toHaveLength(12);
    let begun = 0;
    await probeSome({ ...it.ctx, deadline: { ...it.ctx.deadline, remainingMs: () => (begun++ < perRun ? 100_000 : 0) } }, share);
  }
  const voice = await allRows<VoiceHealthRow>(it.ctx.platform, keys.partitions.voiceHealth);
  expect(voice).toHaveLength(10);
});
