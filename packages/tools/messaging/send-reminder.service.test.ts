import type { ContactPreferences } from "@vitaline/contract";
import { sha256In } from "@vitaline/core";
import { optOut, reminderTime } from "@vitaline/messages";
import { keys, update, type MessageRow, type TenantRow } from "@vitaline/store";
import type { Patient } from "fhir/r4.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sendReminder, type Reminder, type ToolContext } from "../index.ts";
import { outputOf, startTools, type Tools, type Which } from "../test/tools.fixture.ts";

let t: Tools;
beforeAll(async () => {
  process.env["MAIL_FROM"] = "Vitaline <no-reply@vitaline.example>";
  process.env["SMS_ORIGINATION"] = "arn:aws:sms-voice:us-east-1:000000000000:pool/pool-test";
  t = await startTools();
}, 60_000);
afterAll(async () => {
  await t.close();
  delete process.env["MAIL_FROM"];
  delete process.env["SMS_ORIGINATION"];
});

const hourMs = 3_600_000;
const preferences: ContactPreferences = {
  defaultMethod: "sms",
  emailEnabled: true,
  smsEnabled: true,
  phoneEnabled: true,
  businessHours: { start: "00:00", end: "23:59", timezone: "America/New_York" },
};
const prefer = (which: Which, change: Partial<ContactPreferences> = {}) =>
  t.context(which).store.commit([update<TenantRow>(keys.tenantConfig(), { set: { contactPreferences: { ...preferences, ...change } } })], {
    category: "configuration_change",
    action: "tenant.update",
    resourceType: "Tenant",
  });
beforeEach(async () => void (await Promise.all([prefer(0), prefer(1)])));
afterEach(async () => {
  t.platform.aws.fault();
  await t.heal();
});

const texts = () => t.platform.aws.aws.sms.texts();
const mails = () => t.platform.aws.aws.ses.mails();
const counts = () => [texts().length, mails().length];

const booked = async (which: Which, index: number) => {
  const caller = await t.verified(which, index);
  const [slotId] = await t.unusedSlots(which, 1);
  const { appointment } = outputOf(await caller.use("scheduleAppointment", { action: "book", slotId }));
  const audit = (await t.audits(which, caller.callKey)).find(({ detail }) => detail?.["booked"]);
  const { appointmentId, start, fhirProviderId } = audit?.detail ?? {};
  const row: Reminder = {
    kind: "reminder",
    tenantId: t.platform.clinics[which].tenantId,
    id: sha256In("reminder", String(appointmentId)),
    dueAt: audit?.at ?? "",
    providerId: String(fhirProviderId),
    appointmentId: String(appointmentId),
    start: String(start),
    callKey: caller.callKey,
    planned: true,
    expiresAt: 4e9,
  };
  return { caller, appointment, row, audit };
};
const before = (which: Which, { start }: Pick<Reminder, "start">, hours = 24): ToolContext =>
  t.context(which, { laterMs: Date.parse(start) - hours * hourMs - Date.now() });

it("the audit of a booking names the appointment and its time, and no person", async () => {
  const { audit, appointment, caller } = await booked(0, 0);
  expect(audit?.detail).toMatchObject({
    action: "book",
    appointmentId: appointment.appointmentId,
    start: new Date(appointment.start).toISOString(),
  });
  const [slotId] = await t.unusedSlots(0, 1);
  const { writes } = await t.cost(() => caller.use("scheduleAppointment", { action: "book", slotId }));
  expect(writes).toBeLessThanOrEqual(5);
});

const ended = (code: string) => ({ over: true, audit: { action: "reminder.send", success: false, code, detail: { status: "failed" } } });

describe("a reminder", () => {
  it("is planned for a day before within business hours, and skipped for an appointment that is too near", async () => {
    const { row } = await booked(0, 1);
    const { planned: _planned, ...fresh } = row;
    await prefer(0, { businessHours: { start: "09:00", end: "17:00", timezone: "America/New_York" } });
    const now = t.context(0).clock();
    const hours = { start: "09:00", end: "17:00", timezone: "America/New_York" };
    expect(await sendReminder(t.context(0), fresh)).toEqual({ later: reminderTime(hours, new Date(row.start), now), planned: true });
    expect(await sendReminder(before(0, row, 0.5), fresh)).toMatchObject(ended("deadline_exceeded"));
  });

  it("goes out as the tenant likes best, once, and is audited with its outcome", async () => {
    const { row, caller, appointment } = await booked(0, 2);
    const sent = counts();
    const ctx = before(0, row);
    const attended = await sendReminder(ctx, row);
    expect(attended).toMatchObject({
      sent: { tried: ["sms"] },
      audit: {
        action: "reminder.send",
        category: "patient_access",
        resourceId: caller.patientId,
        success: true,
        detail: { channel: "sms", purpose: "appointment_reminder", status: "sent" },
      },
    });
    expect(counts()).toEqual([sent[0]! + 1, sent[1]]);
    const { phone, family, given } = t.patients[2]!;
    expect(texts().at(-1)?.to).toContain(phone.replace(/\D/g, "").slice(-10));
    expect(appointment.location).toMatch(/Clinic$/);
    expect(texts().at(-1)?.text).toMatch(new RegExp(`^A reminder of your appointment at ${appointment.location} on \\w+day, `));
    expect(texts().at(-1)?.text).not.toMatch(new RegExp(`${given}|${family}`));
    expect(await sendReminder(before(0, row, 23), row)).toMatchObject({
      sent: { tried: ["sms"] },
      audit: { success: false, detail: { status: "unknown" } },
    });
    expect(counts()).toEqual([sent[0]! + 1, sent[1]]);
  });

  it("C15: that was not delivered as a text goes by mail, once; one that was delivered or is unconfirmed does not", async () => {
    for (const which of [0, 1] as const)
      for (const outcome of ["undeliverable", "delivered", undefined] as const) {
        const { row } = await booked(which, 0);
        const first = await sendReminder(before(which, row), row);
        if (!("later" in first) || !first.sent) throw new Error("No one looks whether it arrived");
        expect(first.later.getTime() - before(which, row).clock().getTime()).toBeGreaterThan(10 * 60_000);
        const store = t.platform.aws.platform().platform.inTenant(t.platform.clinics[which].tenantId);
        const change = { set: { outcome, outcomeRank: 2, expiresAt: 4e9 } };
        if (outcome) await store.writeUnaudited(update<MessageRow>(keys.message(first.sent.messageId), change));
        const sent = counts();
        const next = await sendReminder(before(which, row, 23), { ...row, sent: first.sent });
        if (outcome === "undeliverable")
          expect(next).toMatchObject({ over: true, audit: { success: true, detail: { channel: "email", status: "sent" } } });
        else expect(next).toEqual({ over: true });
        expect(counts()).toEqual([sent[0], sent[1]! + (outcome === "undeliverable" ? 1 : 0)]);
      }
  });

  it("C15: is texted to a mobile phone rather than to a landline that the patient ranks first", async () => {
    const { row, caller } = await booked(0, 5);
    const ehr = await t.ehr(0);
    const chart = await ehr.read<Patient>("Patient", caller.patientId);
    const landline = { system: "phone", use: "home", value: "617-555-0190", rank: 1 } as const;
    const mobile = { system: "phone", use: "mobile", value: "617-555-0191", rank: 2 } as const;
    const others = (chart.telecom ?? []).filter(({ system }) => system === "email");
    await t.platform.clinics[0].sandbox.put({ ...chart, telecom: [landline, mobile, ...others] });
    expect(await sendReminder(before(0, row), row)).toMatchObject({ audit: { detail: { status: "sent" } } });
    expect(texts().at(-1)?.to).toContain("6175550191");
    await t.platform.clinics[0].sandbox.put(chart);
  });

  it("goes by the other way where the patient wants none in the first, or has no such contact", async () => {
    const { row } = await booked(1, 3);
    await optOut(t.context(1), "sms", `+1${t.patients[3]!.phone.replace(/\D/g, "").slice(-10)}`);
    const sent = counts();
    expect(await sendReminder(before(1, row), row)).toMatchObject({ audit: { detail: { channel: "email", status: "sent" } } });
    expect(counts()).toEqual([sent[0], sent[1]! + 1]);
    expect(mails().at(-1)?.attachments?.[0]?.content).toContain("METHOD:PUBLISH");
    await prefer(1, { emailEnabled: false });
    const again = { ...row, id: sha256In("reminder", row.id) };
    expect(await sendReminder(before(1, row), again)).toMatchObject({ over: true, audit: { code: "opted_out", success: false } });
  });

  it("waits when one channel is temporarily unavailable, even if the other refuses for good", async () => {
    const { row, caller } = await booked(1, 2);
    const ehr = await t.ehr(1);
    const { telecom = [] } = await ehr.read<Patient>("Patient", caller.patientId);
    const email = telecom.find(({ system }) => system === "email")?.value ?? "";
    await optOut(t.context(1), "email", email.toLowerCase());
    t.platform.aws.fault(({ service }) =>
      service === "sms-voice" ? { status: 500, code: "InternalServerException", message: "later" } : undefined,
    );
    expect(await sendReminder(before(1, row), row)).toMatchObject({ later: expect.any(Date), planned: true, tries: 1 });
    t.platform.aws.fault();
    expect(await sendReminder(before(1, row), { ...row, tries: 1 })).toMatchObject({
      audit: { detail: { channel: "sms", status: "sent" } },
    });
  });

  it("of a tenant that is not active any more ends with its account", async () => {
    const { row } = await booked(0, 1);
    const set = (isActive: boolean) =>
      t.context(0).store.commit([update<TenantRow>(keys.tenantConfig(), { set: { isActive } })], {
        category: "configuration_change",
        action: "tenant.update",
        resourceType: "Tenant",
      });
    await set(false);
    expect(await sendReminder(before(0, row), row)).toMatchObject(ended("not_doable"));
    await set(true);
  });

  it("is none of an appointment that was cancelled, moved, or is at another record system by now", async () => {
    const { row, caller, appointment } = await booked(0, 3);
    const sent = counts();
    const moved = { ...row, start: new Date(Date.parse(row.start) + hourMs).toISOString() };
    expect(await sendReminder(before(0, row), moved)).toMatchObject(ended("not_found"));
    expect(await sendReminder(before(0, row), { ...row, providerId: t.providers[1]! })).toMatchObject(ended("not_found"));
    await caller.use("scheduleAppointment", { action: "cancel", appointmentId: appointment.appointmentId });
    expect(await sendReminder(before(0, row), row)).toMatchObject(ended("not_found"));
    expect(await sendReminder(before(0, row), { ...row, appointmentId: "nothing" })).toMatchObject(ended("not_found"));
    expect(counts()).toEqual(sent);
  });

  it("is none to a chart that was closed, or of an appointment of two", async () => {
    const { row, caller } = await booked(1, 4);
    const ehr = await t.ehr(1);
    const sent = counts();
    const patient = await ehr.read<Patient>("Patient", caller.patientId);
    const closed = await ehr.update<Patient>({ ...patient, active: false });
    expect(await sendReminder(before(1, row), row)).toMatchObject(ended("not_found"));
    await ehr.update<Patient>({ ...closed, active: true });
    const ctx = before(1, row);
    const second = { actor: { reference: `Patient/${t.patients[0]!.id}` }, status: "accepted" as const };
    const shared: ToolContext = {
      ...ctx,
      openEhr: async (tenant, options) => {
        const opened = await ctx.openEhr(tenant, options);
        const read: typeof opened.read = async (...about) => {
          const found = await opened.read(...about);
          return found.resourceType === "Appointment" ? { ...found, participant: [...found.participant, second] } : (found as never);
        };
        return { ...opened, read };
      },
    };
    expect(await sendReminder(shared, row)).toMatchObject(ended("not_found"));
    expect(counts()).toEqual(sent);
  });

  it("is none of a minor's confidential visit, because the number on the chart may be a parent's", async () => {
    const { row } = await booked(1, 4);
    const ctx = before(1, row);
    const chartOf = (ageYears: number | undefined, code: string): ToolContext => ({
      ...ctx,
      openEhr: async (tenant, options) => {
        const opened = await ctx.openEhr(tenant, options);
        const birthDate = ageYears === undefined ? undefined : `${ctx.clock().getUTCFullYear() - ageYears}-01-01`;
        const read: typeof opened.read = async (...about) => {
          const found = await opened.read(...about);
          return { ...found, ...(found.resourceType === "Appointment" ? { meta: { security: [{ code }] } } : { birthDate }) } as never;
        };
        return { ...opened, read };
      },
    });
    const sent = counts();
    for (const age of [15, undefined]) expect(await sendReminder(chartOf(age, "R"), row), `${age}`).toMatchObject(ended("not_found"));
    expect(counts()).toEqual(sent);
    const again = (id: string) => ({ ...row, id: sha256In("reminder", id) });
    expect(await sendReminder(chartOf(15, "N"), again("usual"))).toMatchObject({ audit: { success: true } });
    expect(await sendReminder(chartOf(40, "R"), again("adult"))).toMatchObject({ audit: { success: true } });
  });

  it("that is due at night waits for the morning, also where the office never closes", async () => {
    const { row } = await booked(1, 4);
    const midnight = new Date(`${row.start.slice(0, 10)}T00:00:00Z`).getTime() - 24 * hourMs;
    await prefer(1, { businessHours: { start: "00:00", end: "23:59", timezone: "UTC" } });
    const sent = counts();
    const atThree = t.context(1, { laterMs: midnight + 3 * hourMs - Date.now() });
    expect(await sendReminder(atThree, row)).toEqual({ later: new Date(midnight + 8 * hourMs), planned: true });
    expect(counts()).toEqual(sent);
  });

  it("waits for the doors to open, as long as that is an hour before the appointment", async () => {
    const { row } = await booked(0, 4);
    const sent = counts();
    const openAt = new Date(Date.parse(row.start) - 3 * hourMs);
    const clock = (date: Date) => date.toLocaleTimeString("en-GB", { timeZone: "UTC", hour: "2-digit", minute: "2-digit" });
    const opens = (from: Date) => ({ businessHours: { start: clock(from), end: "23:59", timezone: "UTC" } });
    await prefer(0, opens(openAt));
    const closedBefore = Math.min(5, (openAt.getUTCHours() * 60 + openAt.getUTCMinutes()) / 60);
    const ctx = t.context(0, { laterMs: openAt.getTime() - (closedBefore / 2) * hourMs - Date.now() });
    expect(await sendReminder(ctx, row)).toEqual({ later: openAt, planned: true });
    await prefer(0, opens(new Date(Date.parse(row.start) - 0.5 * hourMs)));
    expect(await sendReminder(before(0, row, 2), row)).toMatchObject({ over: true, audit: { success: false, code: "deadline_exceeded" } });
    expect(counts()).toEqual(sent);
  });

  it("throws while the record system is down, so that it is tried again, and has then taken nothing", async () => {
    const { row } = await booked(1, 5);
    const sent = counts();
    await t.fault(1, { kind: "503" });
    await expect(sendReminder(before(1, row), row)).rejects.toMatchObject({ code: "ehr_unavailable" });
    await t.heal();
    expect(await sendReminder(before(1, row), row)).toMatchObject({ audit: { success: true } });
    expect(counts()[0]).toBe(sent[0]! + 1);
  });

  it("whose process died between its claim and the sending is never sent: rather none than two", async () => {
    const { row } = await booked(0, 5);
    const sent = counts();
    const ctx = before(0, row);
    // The process dies after the claim.
    t.platform.aws.fault(({ service }) => (service === "sms-voice" ? "drop" : undefined));
    const dying: ToolContext = {
      ...ctx,
      log: () => {
        throw new Error("The process ends here");
      },
    };
    await expect(sendReminder(dying, row)).rejects.toThrow("The process ends here");
    t.platform.aws.fault();
    await expect(sendReminder(before(0, row), row)).rejects.toMatchObject({ code: "in_progress" });
    expect(await sendReminder(before(0, row, 23), row)).toMatchObject({
      sent: { tried: ["sms"] },
      audit: { success: false, detail: { status: "unknown" } },
    });
    expect(counts()).toEqual(sent);
    // The process dies before the claim.
    const { row: next } = await booked(0, 0);
    t.platform.aws.fault(({ operation }) =>
      operation === "PutItem" ? { status: 403, code: "AccessDeniedException", message: "gone" } : undefined,
    );
    await expect(sendReminder(before(0, next), next)).rejects.toThrow();
    t.platform.aws.fault();
    expect(await sendReminder(before(0, next), next)).toMatchObject({ audit: { success: true } });
  });
});
