import { AppError, deadlineIn } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import { sendMessage, backoffMs } from "@vitaline/messages";
import { keys, outgoingKey, put, shards, type AuditRow, type OutgoingRow, type TenantRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import { platformStore, type PlatformContext } from "@vitaline/store/platform.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { noonZone } from "../../../test/kit/noon-zone.ts";
import { addTenantRow } from "../../../test/kit/store/tenant-row.ts";
import { withEhr, type EhrContext } from "../../lib/context/ehr-context.ts";
import { handler, remindAll, remindShare, shareReminders } from "./handler.ts";

let it: TestAws;
let tenants: [TenantRow, TenantRow];
beforeEach(async () => {
  process.env["MAIL_FROM"] = "Vitaline <no-reply@vitaline.example>";
  process.env["SMS_ORIGINATION"] = "arn:aws:sms-voice:us-east-1:000000000000:pool/pool-test";
  it = await startTestAws();
  tenants = [await addOpen(it.tenants[0], "North"), await addOpen(it.tenants[1], "South")];
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});
afterEach(async () => {
  vi.restoreAllMocks();
  delete process.env["MAIL_FROM"];
  delete process.env["SMS_ORIGINATION"];
  await it.close();
});

const contactPreferences = {
  defaultMethod: "sms" as const,
  emailEnabled: true,
  smsEnabled: true,
  phoneEnabled: true,
  businessHours: { start: "00:00", end: "23:59", timezone: noonZone },
};
const addOpen = async (id: string, name: string): Promise<TenantRow> => {
  const row = { ...(await addTenantRow(it.platform(), id, name)), contactPreferences, contactPhone: "617-555-0100" };
  await it
    .inTenant(id)
    .store.commit([put(keys.tenantConfig(), row)], { category: "configuration_change", action: "test", resourceType: "Tenant" });
  return row;
};

const invocation = {
  awsRequestId: "remind",
  functionName: "remind",
  invokedFunctionArn: "arn:aws:lambda:us-east-1:111111111111:function:remind",
  getRemainingTimeInMillis: () => 55_000,
};
const never = Object.fromEntries(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"].map((day) => [day, null]));
const past = (secondsAgo: number): string => new Date(Date.now() - secondsAgo * 1000).toISOString();
const waiting = async (): Promise<OutgoingRow[]> => {
  const pages = await Promise.all(shards.map((shard) => it.platform().platform.query<OutgoingRow>(partitions.outgoing(shard))));
  return pages.flatMap(({ rows }) => rows);
};
const audits = async (which: 0 | 1) => {
  const { store, tenantId } = it.inTenant(it.tenants[which]);
  return (await store.query<AuditRow>(keys.tenantPartitions.audit(tenantId, new Date().toISOString().slice(0, 7), "patient_access"))).rows;
};
const patientId = "p1";
let visitStart = "";
/** An EHR with unchanged appointments, or an unavailable one. */
const inOrder =
  (isDown: (tenantId: string) => boolean = () => false) =>
  (ctx: PlatformContext, tenantId: string): EhrContext => ({
    ...withEhr(ctx, tenantId),
    openEhr: async () => {
      if (isDown(tenantId)) throw new AppError("ehr_unavailable", "The record system is down.");
      const patient = {
        resourceType: "Patient",
        id: patientId,
        active: true,
        telecom: [
          { system: "phone", value: to },
          { system: "email", value: "ann@patient.example" },
        ],
      };
      const participant = [{ actor: { reference: `Patient/${patientId}` }, status: "accepted" }];
      const appointment = { resourceType: "Appointment", id: "a1", status: "booked", start: visitStart, participant };
      return { providerId: "f1", read: async (type: string) => (type === "Appointment" ? appointment : patient) } as unknown as Ehr;
    },
  });
const to = "+16175550142";
/** A run with a fixed clock. */
const run = async (isDown?: (tenantId: string) => boolean, rowsAtOnce?: number): Promise<Date> => {
  const now = new Date();
  const clock = () => now;
  const ctx = { ...it.platform({ kind: "system", id: "remind" }), clock, deadline: deadlineIn(55_000) };
  await remindAll({ ...ctx, platform: platformStore(ctx) }, inOrder(isDown), rowsAtOnce);
  return now;
};
/** A deferred message that is due. */
const keep = async (which: 0 | 1, key: string): Promise<OutgoingRow> => {
  const weekday = new Date(Date.now() + 2 * 86_400_000).toLocaleDateString("en-US", { weekday: "long", timeZone: noonZone }).toLowerCase();
  const businessHours = { ...contactPreferences.businessHours, days: { ...never, [weekday]: { start: "09:00", end: "10:00" } } };
  const closed = { ...tenants[which], contactPreferences: { ...contactPreferences, businessHours } };
  const request = { channel: "sms", purpose: "general", to } as const;
  const about = { providerId: "f1", patientId };
  await sendMessage(it.inTenant(it.tenants[which]), { key, tenant: closed, request, about });
  const row = (await waiting()).find((one) => one.kind === "message" && one.key === key)!;
  const due = { ...row, dueAt: past(60) };
  await it.inTenant(it.tenants[which]).store.writeUnaudited(put(outgoingKey(due), due));
  await it.inTenant(it.tenants[which]).store.writeUnaudited({ verb: "delete", key: outgoingKey(row) });
  return due;
};
const reminder = async (which: 0 | 1, id: string, more: Partial<OutgoingRow> = {}): Promise<void> => {
  const start = new Date(Date.now() + 20 * 3_600_000).toISOString();
  const row = {
    kind: "reminder" as const,
    tenantId: it.tenants[which],
    id,
    dueAt: past(60),
    providerId: "f1",
    appointmentId: "a1",
    start,
    planned: true as const,
    expiresAt: Math.floor(Date.parse(start) / 1000),
    ...more,
  } as OutgoingRow;
  await it.inTenant(row.tenantId).store.writeUnaudited(put(outgoingKey(row), row));
};

test("deferred messages of all tenants are sent once, audited in their own tenant's log, and their rows removed", async () => {
  await keep(0, "m1");
  await keep(1, "m2");
  const before = it.aws.sms.texts().length;
  await run();
  await run();
  expect(it.aws.sms.texts()).toHaveLength(before + 2);
  expect(await waiting()).toEqual([]);
  for (const which of [0, 1] as const)
    expect(await audits(which)).toMatchObject([{ action: "message.send", actorId: "remind", success: true, detail: { status: "sent" } }]);
});

test("a run that dies between sending and auditing leaves the row, and the message is not sent again", async () => {
  await keep(0, "m3");
  const before = it.aws.sms.texts().length;
  it.fault(({ operation }) =>
    operation === "TransactWriteItems" ? { status: 403, code: "AccessDeniedException", message: "gone" } : undefined,
  );
  await run();
  it.fault();
  const [row] = await waiting();
  expect(row).toMatchObject({ key: "m3", tries: 1 });
  const due = { ...row!, dueAt: past(30) };
  await it.inTenant(it.tenants[0]).store.writeUnaudited(put(outgoingKey(due), due));
  await it.inTenant(it.tenants[0]).store.writeUnaudited({ verb: "delete", key: outgoingKey(row!) });
  // Long after the claim expired.
  const { store } = it.inTenant(it.tenants[0]);
  const sentTo = await store.get(keys.sentTo(to));
  await store.writeUnaudited(put(keys.sentTo(to), { ...sentTo!, sends: sentTo!.sends.map((send) => ({ ...send, atMs: 0 })) }));
  await run();
  expect(it.aws.sms.texts()).toHaveLength(before + 1);
  expect(await waiting()).toEqual([]);
  expect((await audits(0)).at(-1)).toMatchObject({ action: "message.send", success: false, detail: { status: "unknown" } });
});

test("a reminder that fails waits twice as long each time, and its tenant's failures take a limited share of a run", async () => {
  for (let i = 0; i < 6; i++) await reminder(0, `r${i}`, { tries: 2 });
  await reminder(1, "over", { start: past(3600) } as Partial<OutgoingRow>);
  const now = await run(() => true);
  const rows = await waiting();
  const tried = rows.filter(({ tries }) => tries === 3);
  expect([rows.length, tried.length]).toEqual([6, 3]);
  for (const { dueAt } of tried) expect(Date.parse(dueAt)).toBe(now.getTime() + backoffMs(3));
  // Too late: the clinic sees that the patient was not reminded.
  expect((await audits(1)).at(-1)).toMatchObject({ action: "reminder.send", success: false, code: "deadline_exceeded" });
});

test("C12: many reminders of a clinic with a broken EHR do not stop another clinic's", async () => {
  const { store } = it.inTenant(it.tenants[0]);
  const first = { kind: "reminder" as const, tenantId: it.tenants[0], providerId: "f1", appointmentId: "a1", planned: true as const };
  const start = new Date(Date.now() + 20 * 3_600_000).toISOString();
  const stuck = Array.from(
    { length: 60 },
    (_, index) => ({ ...first, id: `s${index}`, dueAt: past(600), start, expiresAt: 4e9 }) as OutgoingRow,
  );
  for (let at = 0; at < stuck.length; at += 20)
    await Promise.all(stuck.slice(at, at + 20).map((row) => store.writeUnaudited(put(outgoingKey(row), row))));
  await keep(1, "m7");
  const before = it.aws.sms.texts().length;
  await run((tenantId) => tenantId === it.tenants[0], 50);
  expect(it.aws.sms.texts()).toHaveLength(before + 1);
  const rows = await waiting();
  expect(rows).toHaveLength(stuck.length);
  expect(rows.filter(({ tries = 0 }) => tries > 0).length).toBeLessThanOrEqual(6);
});

test("a reminder without a time gets one, and nothing is sent before it", async () => {
  const start = new Date(Date.now() + 72 * 3_600_000).toISOString();
  await reminder(0, "plan", { start, planned: undefined, expiresAt: 4e9 } as Partial<OutgoingRow>);
  const before = it.aws.sms.texts().length;
  for (const _again of [1, 2]) await handler({}, invocation);
  expect(await waiting()).toMatchObject([{ id: "plan", planned: true, dueAt: new Date(Date.parse(start) - 86_400_000).toISOString() }]);
  expect(it.aws.sms.texts()).toHaveLength(before);
});

test("C15: a reminder sent as a text is audited, waits for its delivery receipt, and is then done", async () => {
  visitStart = new Date(Date.now() + 20 * 3_600_000).toISOString();
  for (const which of [0, 1] as const) await reminder(which, `texted${which}`, { start: visitStart } as Partial<OutgoingRow>);
  const before = it.aws.sms.texts().length;
  const now = await run();
  const rows = await waiting();
  expect(rows.map(({ id }) => id).toSorted()).toEqual(["texted0", "texted1"]);
  for (const row of rows) {
    expect(row).toMatchObject({ planned: true, sent: { tried: ["sms"] } });
    expect(Date.parse(row.dueAt)).toBeGreaterThan(now.getTime());
    const { store } = it.inTenant(row.tenantId);
    await store.writeUnaudited({ verb: "delete", key: outgoingKey(row) });
    const due = { ...row, dueAt: past(1) };
    await store.writeUnaudited(put(outgoingKey(due), due));
  }
  await run();
  expect(await waiting()).toEqual([]);
  expect([it.aws.sms.texts().length - before, it.aws.ses.mails()]).toEqual([2, []]);
  for (const which of [0, 1] as const) expect(await audits(which)).toMatchObject([{ action: "reminder.send", success: true }]);
});

test("postponed rows do not expire while they wait", async () => {
  const row = await keep(0, "m4");
  const soon = { ...row, expiresAt: Math.floor(Date.now() / 1000) + 60 };
  await it.inTenant(row.tenantId).store.writeUnaudited(put(outgoingKey(soon), soon));
  await run(() => true);
  const [moved] = await waiting();
  expect(moved).toMatchObject({ key: "m4", tries: 1 });
  expect(moved!.expiresAt * 1000).toBeGreaterThan(Date.parse(moved!.dueAt) + 86_400_000);
});

test("a tenant with an unresponsive EHR delays no other, because tenants are processed in parallel", async () => {
  await keep(0, "m5");
  await keep(1, "m6");
  let release = (): void => {};
  const hung = new Promise<void>((resolve) => (release = resolve));
  const ctx = { ...it.platform({ kind: "system", id: "remind" }), deadline: deadlineIn(55_000) };
  const open = inOrder();
  const slow = remindAll({ ...ctx, platform: platformStore(ctx) }, (own, tenantId) => {
    const opened = open(own, tenantId);
    return tenantId === it.tenants[0] ? { ...opened, openEhr: async (...asked) => (await hung, opened.openEhr(...asked)) } : opened;
  });
  await expect.poll(async () => (await waiting()).map((row) => row.kind === "message" && row.key)).toEqual(["m5"]);
  release();
  await slow;
  expect(await waiting()).toEqual([]);
});

test("A13: more rows than one invocation can send are handed out, each to one share, and each share sends its own once", async () => {
  for (const which of [0, 1] as const) for (const key of ["a", "b", "c"]) await keep(which, `${which}${key}`);
  const now = new Date();
  const ctx = { ...it.platform({ kind: "system", id: "remind" }), clock: () => now, deadline: deadlineIn(55_000) };
  const platform = { ...ctx, platform: platformStore(ctx) };
  type Share = Parameters<typeof remindShare>[2];
  const shares: Share[] = [];
  const start = async (share: Record<string, unknown>) => void shares.push(share as Share);
  expect(await shareReminders(platform, start, { perShare: 6, maxShares: 4 })).toBe(false);
  expect(shares).toEqual([]);
  expect(await shareReminders(platform, start, { perShare: 2, maxShares: 4 })).toBe(true);
  const due = await waiting();
  expect(shares.flatMap(({ rows }) => rows.map(({ id }) => id)).toSorted()).toEqual(due.map(({ id }) => id).toSorted());
  const before = it.aws.sms.texts().length;
  for (const share of [...shares, ...shares]) await remindShare(platform, inOrder(), share);
  expect(it.aws.sms.texts()).toHaveLength(before + due.length);
  expect(await waiting()).toEqual([]);
});

test("A13: a share that starts late does nothing, since the next run has handed out its rows again", async () => {
  const row = await keep(0, "late");
  const before = it.aws.sms.texts().length;
  await remindShare(it.platform({ kind: "system", id: "remind" }), inOrder(), { startedAt: past(600), rows: [row] });
  expect(it.aws.sms.texts()).toHaveLength(before);
  expect(await waiting()).toHaveLength(1);
});
