import { newId } from "@vitaline/core";
import { create, dueShards, keys, update, type TenantContext, type TenantRow, type UserDirectoryRow } from "@vitaline/store";
import { changeNotices, changeToDo, createTask, mailDailyNotice, mailEmergency, readNotices } from "@vitaline/tasks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { handler as project } from "../project/handler.ts";
import { shardedStream } from "../../lib/dynamodb-stream/stream.fixture.ts";

let it: TestAws;
let one: TenantContext;
let two: TenantContext;
let now = new Date();
const people = { nora: newId(), max: newId(), other: newId() };
const timeZone = "America/New_York";
beforeEach(async () => {
  it = await startTestAws();
  process.env["MAIL_FROM"] = "no-reply@vitaline.example";
  now = new Date();
  const tenant = async (id: string, users: Record<string, string>): Promise<TenantContext> => {
    const ctx = as(id, Object.values(users)[0]!);
    const row = { id, name: "Clinic", isActive: true, timeZone, createdAt: now.toISOString(), epoch: 0 } as unknown as TenantRow;
    const listed = Object.entries(users).map(([firstName, userId]) => {
      const user: UserDirectoryRow = {
        ...{ id: userId, firstName, lastName: "", email: `${firstName}@clinic.example`, role: "tenant_admin", tenantId: id },
        ...{ isActive: true, createdAt: now.toISOString() },
      };
      return create(keys.tenantUser(userId), user);
    });
    await ctx.store.commit([create(keys.tenantConfig(), row), ...listed], {
      ...{ category: "configuration_change", action: "tenant.create", resourceType: "Tenant" },
    });
    return ctx;
  };
  one = await tenant(it.tenants[0], { nora: people.nora, max: people.max });
  two = await tenant(it.tenants[1], { other: people.other });
});
afterEach(() => it.close());

const as = (tenantId: string, id: string): TenantContext => ({
  ...it.inTenant(tenantId, { kind: "user", id, role: "tenant_admin", tenantId }),
  clock: () => now,
  origin: "https://vitaline.example",
});
const system = (): TenantContext => ({ ...it.inTenant(one.tenantId, { kind: "system", id: "retry" }), clock: () => now });
const mails = () => it.aws.ses.mails().map(({ to, subject }) => [to[0], subject]);
/** Seconds of the day in the clinic's zone would differ with the date; quiet hours around now do not. */
const clockIn = (ms: number): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" }).format(new Date(now.getTime() + ms));
const quietNow = { from: clockIn(-3_600_000), to: clockIn(3_600_000) };
const choice = { daily: false, dailyAt: "07:30", emergencies: true, quiet: null };

const emergency = async (ctx: TenantContext): Promise<string> => {
  const id = newId();
  const task = await createTask(ctx, id, { kind: "emergency", about: { tool: "x", action: "medical", phone: "+16175550101" } });
  await ctx.store.commit([task], { category: "api_call", action: "task.create", resourceType: "Task" });
  await projectAll();
  return id;
};
const projectAll = async () => {
  const [records = []] = await shardedStream(it, { shards: 1, recordsPerShard: 1_000_000 }).read();
  const event = { Records: records.map(({ record }) => record), shardId: "s", window: {}, state: {}, isFinalInvokeForWindow: false };
  await project(event, { awsRequestId: "request", getRemainingTimeInMillis: () => 60_000 });
};
const dueKinds = async () => {
  const all = await Promise.all(dueShards.map((shard) => it.platform().platform.query<{ kind: string }>(keys.partitions.due(shard))));
  return all.flatMap(({ rows }) => rows.map(({ kind }) => kind));
};

test("an emergency is mailed at once to those who want to know, once each, with its place in the list, without the caller", async () => {
  await changeNotices(one, { timeZone }, choice);
  await changeNotices(as(one.tenantId, people.max), { timeZone }, { ...choice, emergencies: false });
  await changeNotices(two, { timeZone }, choice);
  const id = await emergency(one);
  expect(await dueKinds()).toEqual(["emergency"]);
  for (const _ of [1, 2]) expect(await mailEmergency(system(), id)).toBe(true);
  expect(mails()).toEqual([["nora@clinic.example", "An emergency call"]]);
  expect(it.aws.ses.mails()[0]?.text).toContain(`https://vitaline.example/tenant/to-do?item=${id}\n`);
  expect(JSON.stringify(it.aws.ses.mails())).not.toContain("+1617");
});

test("no one is mailed who has not signed in yet, and what does not fit into the time is mailed at the next try", async () => {
  const audit = { category: "configuration_change", action: "user.update", resourceType: "User" } as const;
  const change = (set: Partial<UserDirectoryRow>) =>
    one.store.commit([update(keys.tenantUser(people.max), { set }, { exists: true })], audit);
  const id = await emergency(one);
  await change({ invitedAt: now.toISOString() });
  const late = { ...system(), deadline: { ...system().deadline, remainingMs: () => 5000 } };
  expect(await mailEmergency(late, id)).toBe(false);
  expect(mails()).toEqual([]);
  expect(await mailEmergency(system(), id)).toBe(true);
  await one.store.commit(
    [update(keys.tenantUser(people.max), { set: { mustChangePassword: true }, remove: ["invitedAt"] }, { exists: true })],
    audit,
  );
  expect(await mailEmergency(system(), id)).toBe(true);
  expect(mails()).toEqual([["nora@clinic.example", "An emergency call"]]);
});

test("administrators who have chosen nothing are mailed an emergency, staff are not, and no one an emergency of two days ago", async () => {
  const audit = { category: "configuration_change", action: "user.update", resourceType: "User" } as const;
  await one.store.commit([update(keys.tenantUser(people.max), { set: { access: "staff" } }, { exists: true })], audit);
  expect([await readNotices(one), await readNotices(as(one.tenantId, people.max))]).toMatchObject([
    { emergencies: true, daily: false },
    { emergencies: false, daily: false },
  ]);
  const [id, old] = [await emergency(one), await emergency(one)];
  expect(await mailEmergency(system(), id)).toBe(true);
  expect(mails()).toEqual([["nora@clinic.example", "An emergency call"]]);
  expect(it.aws.ses.mails()[0]?.text).toContain("sign in and open To do.");
  now = new Date(now.getTime() + 48 * 3_600_000);
  expect(await mailEmergency(system(), old)).toBe(true);
  expect(mails()).toHaveLength(1);
});

test("an address that cannot be mailed keeps the mail from no one else, and is tried again", async () => {
  for (const id of [people.nora, people.max]) await changeNotices(as(one.tenantId, id), { timeZone }, choice);
  const id = await emergency(one);
  let refused = 0;
  it.fault(({ service }) => (service === "ses" && refused++ === 0 ? { status: 400, code: "MessageRejected", message: "No" } : undefined));
  expect(await mailEmergency(system(), id)).toBe(false);
  expect(mails()).toHaveLength(1);
  it.fault();
  expect(await mailEmergency(system(), id)).toBe(true);
  expect(
    mails()
      .map(([to]) => to)
      .toSorted(),
  ).toEqual(["max@clinic.example", "nora@clinic.example"]);
});

test("someone who may no longer open the list is mailed neither emergencies nor the daily list", async () => {
  await changeNotices(one, { timeZone }, { ...choice, daily: true });
  await changeNotices(as(one.tenantId, people.max), { timeZone }, { ...choice, emergencies: false });
  const id = await emergency(one);
  const auditor = { set: { access: "auditor" } } as const;
  const audit = { category: "configuration_change", action: "user.update", resourceType: "User" } as const;
  await one.store.commit([update(keys.tenantUser(people.nora), auditor, { exists: true })], audit);
  expect(await mailEmergency(system(), id)).toBe(true);
  const { nextDailyAt = "" } = (await one.store.get(keys.notices(people.nora)))!;
  now = new Date(nextDailyAt);
  await mailDailyNotice(system(), people.nora, nextDailyAt);
  expect(mails()).toEqual([]);
});

test("in quiet hours it waits until they have ended, and is not mailed when it is done by then", async () => {
  await changeNotices(one, { timeZone }, { ...choice, quiet: quietNow });
  await changeNotices(as(one.tenantId, people.max), { timeZone }, choice);
  const [waiting, done] = [await emergency(one), await emergency(one)];
  for (const id of [waiting, done]) expect(await mailEmergency(system(), id)).toBe(false);
  await changeToDo(one, done, { done: true });
  now = new Date(now.getTime() + 2 * 3_600_000);
  for (const id of [waiting, done]) expect(await mailEmergency(system(), id)).toBe(true);
  expect(
    mails()
      .map(([to]) => to)
      .toSorted(),
  ).toEqual(["max@clinic.example", "max@clinic.example", "nora@clinic.example"]);
});

test("what is open is mailed each day at the person's hour, not when nothing is open, and not for a time that was changed since", async () => {
  await changeNotices(one, { timeZone }, { ...choice, daily: true, emergencies: false });
  const row = () => one.store.get(keys.notices(people.nora));
  const first = (await row())!.nextDailyAt!;
  await projectAll();
  expect(await dueKinds()).toEqual(["daily"]);
  now = new Date(first);
  await mailDailyNotice(system(), people.nora, first);
  expect(mails()).toEqual([]);
  const second = (await row())!.nextDailyAt!;
  expect(Date.parse(second) - Date.parse(first)).toBeGreaterThan(22 * 3_600_000);
  await emergency(one);
  now = new Date(second);
  for (const at of [first, second, second]) await mailDailyNotice(system(), people.nora, at);
  expect(mails()).toEqual([["nora@clinic.example", "To do: 1 open"]]);
  for (let made = 0; made < 100; made++) await emergency(one);
  const third = (await row())!.nextDailyAt!;
  now = new Date(third);
  await mailDailyNotice(system(), people.nora, third);
  expect(it.aws.ses.mails().at(-1)).toMatchObject({
    subject: "To do: more than 100 open",
    text: expect.stringMatching(/^The 100 most urgent:\s+Emergencies: 100\s/),
  });
});
