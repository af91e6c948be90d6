import { latestEntries, platformCounts } from "@vitaline/audit";
import { keys, put, update, type ChainRow } from "@vitaline/store";
import type { PlatformStore } from "@vitaline/store/platform.ts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { project } from "./project.ts";
import { shardedStream } from "../../lib/dynamodb-stream/stream.fixture.ts";

let test: TestAws;
let stream: ReturnType<typeof shardedStream>;
let passed = 0;
beforeEach(async () => {
  test = await startTestAws();
  passed = 0;
  stream = shardedStream(test, { shards: 1, recordsPerShard: 1_000_000 });
});
afterEach(() => test.close());

const newRecords = async () => {
  const [all = []] = await stream.read();
  const records = all.slice(passed).map(({ record }) => record);
  passed = all.length;
  return records;
};
const projectBatch = (Records: Awaited<ReturnType<typeof newRecords>>) => project(test.platform(), { shardId: "shardId-0", Records });
/** Delivers every batch twice, until the projection's own writes are projected too. */
const projectAll = async () => {
  for (let records = await newRecords(); records.length > 0; records = await newRecords()) {
    await projectBatch(records);
    await projectBatch(records);
  }
};
const counts = () => platformCounts(test.platform());

const signIn = { category: "configuration_change", action: "session.login", resourceType: "User" } as const;
const asUser = (id: string): PlatformStore => test.platform({ kind: "user", id, role: "tenant_admin" }).platform;
const asAnonymous = () => test.platform({ kind: "nobody", id: "anonymous" }).platform;

it("a day's sign-ins are counted, and each user once", async () => {
  const [one, two] = test.tenants;
  await asUser("u1").inTenant(one).commit([], signIn);
  await asUser("u1").inTenant(one).commit([], signIn);
  await asUser("u2").inTenant(two).commit([], signIn);
  await asUser("root").commit([], signIn);
  await asAnonymous().commit([], { ...signIn, success: false, code: "invalid_credentials" });
  await asAnonymous()
    .inTenant(two)
    .commit([], { ...signIn, success: false, code: "invalid_credentials" });
  await projectAll();
  const { today, week, month } = await counts();
  expect(today).toEqual({
    activeUsers: 3,
    logins: 4,
    failedLogins: 2,
    auditEvents: 6,
    securityEvents: 2,
    accessAllowed: 4,
    accessDenied: 2,
  });
  expect([week, month]).toEqual([today, today]);
  await asUser("u2").inTenant(two).commit([], signIn);
  await projectAll();
  expect((await counts()).today).toMatchObject({ activeUsers: 3, logins: 5 });
});

it("the platform's own actions are no access, a key change is a security event, and an EHR failure is no denial", async () => {
  const [one] = test.tenants;
  await asUser("u1").inTenant(one).commit([], signIn);
  await asAnonymous().commit([], { ...signIn, success: false, code: "invalid_credentials" });
  await projectAll();
  const before = (await counts()).today;
  await test.inTenant(one).store.commit([], {
    category: "api_call",
    action: "tool.settle",
    resourceType: "Tool",
    detail: { tool: "x", ms: 1, platform: "vapi" },
  });
  await asUser("u1").inTenant(one).commit([], { category: "configuration_change", action: "apiKey.rotate", resourceType: "ApiKey" });
  await asUser("u1")
    .inTenant(one)
    .commit([], { category: "api_call", action: "fhirProvider.test", resourceType: "FhirProvider", success: false, code: "ehr_timeout" });
  await projectAll();
  const { today } = await counts();
  const more = Object.fromEntries(Object.entries(today).map(([name, value]) => [name, value - (before[name] ?? 0)]));
  expect(more).toMatchObject({ auditEvents: 3, securityEvents: 1, accessAllowed: 2, accessDenied: 0, logins: 0 });
});

it("every audit row is in the feed once, without its patient and call", async () => {
  const [one] = test.tenants;
  await asUser("u1").inTenant(one).commit([], signIn);
  await projectAll();
  await test.inTenant(one, { kind: "api_key", id: "k1", tenantId: one }).store.commit([], {
    category: "patient_access",
    action: "tool.getPatientInfo",
    resourceType: "Patient",
    resourceId: "patient-4711",
    callKey: keys.callKeyOf("vapi", "feed"),
    detail: { tool: "getPatientInfo", ms: 3, platform: "vapi", note: "patient-4711" },
  });
  await projectAll();
  const rows = await latestEntries(test.platform(), 100);
  expect(rows).toMatchObject([
    { action: "tool.getPatientInfo", tenantId: one, resourceType: "Patient", actorId: "k1" },
    { action: "session.login", tenantId: one, actorId: "u1" },
  ]);
  expect(JSON.stringify(rows)).not.toContain("patient-4711");
  expect(JSON.stringify(rows)).not.toContain(keys.callKeyOf("vapi", "feed"));
});

it("chains, kept events and administrators are counted in both directions", async () => {
  const { platform } = test.platform();
  const [one, two] = test.tenants;
  const audit = { category: "configuration_change", action: "test.seed", resourceType: "Test" } as const;
  const chain = (more: Partial<ChainRow>): ChainRow => ({
    hash: "h",
    batches: 1,
    rows: 10,
    at: new Date().toISOString(),
    ...more,
  });
  const lastVerifiedAt = new Date().toISOString();
  await platform.inTenant(one).writeUnaudited(put(keys.tenantChain(), chain({})));
  await platform.inTenant(two).writeUnaudited(put(keys.tenantChain(), chain({ lastVerifiedAt, verifiedRows: 10, intactRows: 9 })));
  await platform.writeUnaudited(put(keys.platformChain(), chain({ lastVerifiedAt, verifiedRows: 8, intactRows: 8 })));
  await platform.writeUnaudited(
    put(keys.platformKeptEventContent("x"), { id: "x", at: lastVerifiedAt, from: "project", reason: "fields: a", body: "{}" }),
  );
  const user = { email: "a@x.example", role: "system_admin" as const, firstName: "A", lastName: "B", createdAt: lastVerifiedAt };
  await platform.commit([put(keys.userDirectory("a"), { ...user, id: "a", isActive: true, hasTotp: true })], audit);
  await platform.commit([put(keys.userDirectory("b"), { ...user, id: "b", isActive: true })], audit);
  await projectAll();
  expect((await counts()).ever).toMatchObject({
    chainedRows: 30,
    verifiedRows: 18,
    intactRows: 17,
    verifiedChains: 2,
    intactChains: 1,
    keptEvents: 1,
    activeAdmins: 2,
    adminsWithTotp: 1,
  });
  await platform.inTenant(two).writeUnaudited(update(keys.tenantChain(), { set: { rows: 12, verifiedRows: 12, intactRows: 12 } }));
  await platform.commit([update(keys.userDirectory("b"), { set: { isActive: false } })], audit);
  await projectAll();
  expect((await counts()).ever).toMatchObject({
    chainedRows: 32,
    verifiedRows: 20,
    intactRows: 20,
    verifiedChains: 2,
    intactChains: 2,
    activeAdmins: 1,
    adminsWithTotp: 1,
  });
});
