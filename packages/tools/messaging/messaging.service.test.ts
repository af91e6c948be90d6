import type { BusinessHours, ContactPreferences } from "@vitaline/contract";
import { normalizeContact, limits, optOut, optOutAfterReceipt, type DeferredRow } from "@vitaline/messages";
import { keys, remove, update, type OutgoingRow, type TenantRow, shards } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import { platformStore } from "@vitaline/store/platform.ts";
import type { Appointment, Patient } from "fhir/r4.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runTool, sendDeferredMessage } from "../index.ts";
import { sentences } from "../test/sentences.fixture.ts";
import { outputOf, startTools, type Tools, type Which } from "../test/tools.fixture.ts";
import { countContactChange, isHeldAfterChange } from "../patient/contact-changes.ts";
import { contactPointsFor } from "../patient/contact-fields.ts";

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

const timezone = "America/New_York";
const always: BusinessHours = { start: "00:00", end: "23:59", timezone };
const never = Object.fromEntries(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"].map((day) => [day, null]));
const preferences: ContactPreferences = {
  defaultMethod: "sms",
  emailEnabled: true,
  smsEnabled: true,
  phoneEnabled: true,
  businessHours: always,
};
const settle = (which: Which, set: Partial<TenantRow> = {}) =>
  t.context(which).store.commit(
    [
      update<TenantRow>(keys.tenantConfig(), {
        set: { contactPreferences: preferences, contactPhone: "617-555-0100", policies: {}, ...set },
      }),
    ],
    { category: "configuration_change", action: "tenant.update", resourceType: "Tenant" },
  );
beforeEach(async () => void (await Promise.all([settle(0), settle(1)])));
afterEach(async () => {
  t.platform.aws.fault();
  await t.heal();
});

const texts = () => t.platform.aws.aws.sms.texts();
const mails = () => t.platform.aws.aws.ses.mails();
const ways = [
  ["sendSMS", "sms"],
  ["sendEmail", "email"],
] as const;
const sentBy = (channel: "sms" | "email"): { to: string | string[]; text?: string }[] => (channel === "sms" ? texts() : mails());
const lastAudit = async (which: Which, callKey: string) =>
  (await t.audits(which, callKey)).toSorted((a, b) => (a.id < b.id ? -1 : 1)).at(-1);
const bookedBy = async (which: Which, index: number) => {
  const caller = await t.verified(which, index);
  const [slotId] = await t.unusedSlots(which, 1);
  const booked = await caller.use("scheduleAppointment", { action: "book", slotId });
  expect(booked).toMatchObject({ ok: true });
  return { caller, appointment: outputOf(booked).appointment };
};

describe.each(ways)("%s", (tool, channel) => {
  it("D1.7-025 sends the clinic's words to the contact on file, within five write units, and asks the record system for the chart alone", async () => {
    const caller = await t.verified(0, 0);
    const { phone, given } = t.patients[0]!;
    await caller.use(tool, { purpose: "callback" });
    const before = sentBy(channel).length;
    const { answer, requests } = await t.ehrRequests(() => caller.use(tool, { purpose: "general" }));
    expect(requests).toEqual(t.declaredRequests(tool, { purpose: "general" }));
    const hint = channel === "sms" ? { endsIn: phone.slice(-2) } : { startsWith: given[0] };
    expect(answer).toMatchObject({ ok: true, output: { result: "sent", sent: true, channel, ...hint } });
    expect(answer.speech).toMatch(channel === "sms" ? /^I've sent a text message to the number ending in \d\d\.$/ : /^I've sent an email/);
    expect(sentBy(channel)).toHaveLength(before + 1);
    const sent = sentBy(channel).at(-1);
    expect(String(sent?.to)).toContain(channel === "sms" ? phone.replace(/\D/g, "").slice(-10) : "@");
    expect(sent?.text).toMatch(/You can reach us at 617-555-0100\./);
    expect(JSON.stringify(answer)).not.toContain(phone);
    const { writes } = await t.cost(() => caller.use(tool, { purpose: "follow_up" }));
    expect(writes).toBeLessThanOrEqual(5);
    const audit = await lastAudit(0, caller.callKey);
    expect(audit).toMatchObject({ action: `tool.${tool}`, category: "patient_access", success: true, resourceId: caller.patientId });
    expect(audit?.detail).toMatchObject({ channel, purpose: "follow_up", status: "sent", providerMessageId: expect.any(String) });
    expect(JSON.stringify([audit, t.lines])).not.toMatch(new RegExp(`${phone.slice(-8)}|${t.patients[0]!.family}|@example`, "i"));
  });

  it("D11: tells of a visit once in a call, however often and with however many tool calls at once it is asked to", async () => {
    const { caller, appointment } = await bookedBy(1, 4);
    const { appointmentId } = appointment;
    const before = sentBy(channel).length;
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => caller.use(tool, { purpose: "appointment_confirmation", appointmentId })),
    );
    const results = answers.map((answer) => outputOf(answer).result as string).toSorted();
    expect(results).toEqual(["already", "already", "already", "sent"]);
    expect(sentBy(channel)).toHaveLength(before + 1);
    const again = await caller.use(tool, { appointmentId });
    expect(again).toMatchObject({ ok: true, speech: expect.stringMatching(/already, so I won't send it twice/) });
    const audits = (await t.audits(1, caller.callKey)).filter(({ action }) => action === `tool.${tool}`);
    expect(audits).toHaveLength(1);
    expect(await caller.use(tool, { purpose: "appointment_reminder", appointmentId })).toMatchObject({ output: { result: "sent" } });
    expect(await (await t.verified(1, 4)).use(tool, { appointmentId })).toMatchObject({ output: { result: "sent" } });
    await caller.use("scheduleAppointment", { action: "cancel", appointmentId });
    expect(await caller.use(tool, { appointmentId })).toMatchObject({ output: { result: "sent" } });
  });

  it("tells only of the verified patient's own appointment", async () => {
    const { caller, appointment } = await bookedBy(0, 1);
    const other = await bookedBy(0, 2);
    // Fetches all tokens first.
    await caller.use(tool, { purpose: "appointment_reminder" });
    for (const args of [{ purpose: "appointment_confirmation" }, { appointmentId: appointment.appointmentId }]) {
      const asking = await t.verified(0, 1);
      const { answer, requests } = await t.ehrRequests(() => asking.use(tool, args));
      expect(answer).toMatchObject({ ok: true, output: { result: "sent" } });
      expect(requests).toEqual(t.declaredRequests(tool, args));
    }
    expect(appointment.location).toMatch(/Clinic$/);
    expect(sentBy(channel).at(-1)?.text).toMatch(
      new RegExp(`^Your appointment at ${appointment.location} is booked for \\w+day, \\w+ \\d+ at `),
    );
    const before = sentBy(channel).length;
    const refused = await caller.use(tool, { purpose: "appointment_confirmation", appointmentId: other.appointment.appointmentId });
    expect(refused).toMatchObject({ ok: false, code: "not_found", output: { result: "no_appointment" } });
    expect(sentBy(channel)).toHaveLength(before);
    await caller.use("scheduleAppointment", { action: "cancel", appointmentId: appointment.appointmentId });
    expect(await caller.use(tool, { appointmentId: appointment.appointmentId })).toMatchObject({ ok: true });
    expect(sentBy(channel).at(-1)?.text).toMatch(/is canceled\./);
  });

  it("sends nothing for a stranger, nor for one verified in another tenant's record system", async () => {
    const before = sentBy(channel).length;
    expect(await t.phone(0).use(tool)).toEqual({ ok: false, code: "identity_required", speech: sentences.identity_required });
    const caller = await t.verified(0, 0);
    expect(await runTool(t.context(1), caller.call(tool, {}))).toMatchObject({ code: "identity_required" });
    expect(sentBy(channel)).toHaveLength(before);
  });

  it("takes no other contact unless the tenant lets it, and no own words either", async () => {
    const caller = await t.verified(1, 3);
    const to = channel === "sms" ? "six one seven, five five five, oh one nine nine" : "someone dot else at example dot com";
    const before = sentBy(channel).length;
    expect(await caller.use(tool, { to })).toEqual({ ok: false, code: "contact_not_on_file", speech: sentences.contact_not_on_file });
    expect(await caller.use(tool, { message: "Bring your card" })).toMatchObject({
      ok: false,
      code: "not_doable",
      output: { result: "own_words" },
    });
    expect(sentBy(channel)).toHaveLength(before);
    await settle(1, { policies: { messageAnyContact: true, messageFreeText: true } });
    expect(await caller.use(tool, { to, message: "Bring your card" })).toMatchObject({ ok: true, output: { result: "sent" } });
    expect(String(sentBy(channel).at(-1)?.to)).toBe(channel === "sms" ? "+16175550199" : "someone.else@example.com");
    expect(sentBy(channel).at(-1)?.text).toMatch(/^Clinic \S+: Bring your card/);
  });

  it("changes no opt-out of a contact that is not on the verified chart, even if the tenant allows messages to it", async () => {
    await settle(1, { policies: { messageAnyContact: true } });
    const caller = await t.verified(1, 3);
    const somebody = channel === "sms" ? "617-555-0187" : "somebody@example.com";
    const contact = channel === "sms" ? "+16175550187" : somebody;
    await optOut(t.context(1), channel, contact);
    for (const action of ["opt_in", "opt_out"])
      expect(await caller.use(tool, { action, to: somebody })).toMatchObject({ ok: false, code: "contact_not_on_file" });
    const before = sentBy(channel).length;
    expect(await caller.use(tool, { to: somebody })).toMatchObject({ ok: false, code: "opted_out" });
    expect(sentBy(channel)).toHaveLength(before);
  });

  it("sends one contact no more than so many messages in an hour, however many calls and requests ask, and says so", async () => {
    await settle(1, { policies: { messageAnyContact: true } });
    const to = channel === "sms" ? "617-555-0121" : "one@example.com";
    const before = sentBy(channel).length;
    const calls = [await t.verified(1, 3), await t.verified(1, 0)];
    const answers = [];
    for (let i = 0; i < limits.toContactAnHour + 1; i++) answers.push(await calls[i % 2]!.use(tool, { to }));
    expect(sentBy(channel)).toHaveLength(before + limits.toContactAnHour);
    expect(answers.at(-1)).toMatchObject({ ok: false, code: "too_many_requests", output: { result: "too_many", sent: false } });
    expect(answers.at(-1)?.speech).toMatch(/^I've sent as many messages as I can for now/);
    const { answer, writes } = await t.cost(() => calls[0]!.use(tool, { to }));
    expect([answer.code, writes <= 5]).toEqual(["too_many_requests", true]);
  });

  it("says why nothing can go where the office never opens, in words of its own", async () => {
    const caller = await t.verified(0, 2);
    await settle(0, { contactPreferences: { ...preferences, businessHours: { ...always, days: never } } });
    const answer = await caller.use(tool);
    expect(answer).toMatchObject({ ok: false, code: "not_doable", output: { result: "never_open" } });
    expect(answer.speech).toMatch(/^The office has no opening hours/);
  });

  it("that is on its way when the time is over is told and audited as unknown, and is not sent again", async () => {
    const caller = await t.verified(0, 1);
    const service = channel === "sms" ? "sms-voice" : "ses";
    const before = sentBy(channel).length;
    let asked = 0;
    // AWS is so slow that the run is cut off.
    t.platform.aws.fault((call) => {
      if (call.service !== service) return undefined;
      asked += 1;
      return { delayMs: 2500 };
    });
    const lost = await caller.use(tool, { purpose: "callback" }, { toolCallId: "late", deadlineMs: 2200 });
    expect(lost).toMatchObject({ ok: false, code: "message_failed", output: { result: "unknown" } });
    expect((await lastAudit(0, caller.callKey))?.detail).toMatchObject({ status: "unknown", messageId: expect.any(String) });
    t.platform.aws.fault();
    expect(await caller.use(tool, { purpose: "callback" }, { toolCallId: "late" })).toEqual(lost);
    expect(asked).toBe(1);
    await expect.poll(() => sentBy(channel).length).toBe(before + 1);
  });

  it("answers a repeated request with its first answer, and many at once with one message", async () => {
    const caller = await t.verified(0, 4);
    const before = sentBy(channel).length;
    const first = await caller.use(tool, {}, { toolCallId: "one" });
    expect(await caller.use(tool, {}, { toolCallId: "one" })).toEqual(first);
    await Promise.all([1, 2, 3].map(() => caller.use(tool, { purpose: "callback" }, { toolCallId: "two" })));
    expect(sentBy(channel)).toHaveLength(before + 2);
    expect((await t.audits(0, caller.callKey)).filter(({ action }) => action === `tool.${tool}`)).toHaveLength(2);
  });

  it("does not send again what may have left, and sends again what surely has not", async () => {
    const caller = await t.verified(0, 5);
    const service = channel === "sms" ? "sms-voice" : "ses";
    const before = sentBy(channel).length;
    t.platform.aws.fault((call) =>
      call.service === service ? { status: 500, code: "InternalServerException", message: "later" } : undefined,
    );
    expect(await caller.use(tool, { purpose: "callback" }, { toolCallId: "" })).toEqual({
      ok: false,
      code: "message_failed",
      speech: sentences.message_failed,
      output: expect.objectContaining({ result: "failed", sent: false }),
    });
    t.platform.aws.fault();
    expect(await caller.use(tool, { purpose: "callback" }, { toolCallId: "" })).toMatchObject({ ok: true });
    t.platform.aws.fault((call) => (call.service === service ? "after" : undefined));
    const lost = await caller.use(tool, { purpose: "general" }, { toolCallId: "" });
    expect(lost).toMatchObject({ ok: false, code: "message_failed", output: { result: "unknown" } });
    t.platform.aws.fault();
    expect(await caller.use(tool, { purpose: "general" }, { toolCallId: "", laterMs: 60_000 })).toEqual(lost);
    expect(sentBy(channel)).toHaveLength(before + 2);
  });

  it("stops at the caller's word, and goes on at it", async () => {
    const caller = await t.verified(1, 0);
    expect(await caller.use(tool, { action: "opt_out" })).toMatchObject({ ok: true, output: { result: "stopped" } });
    const before = sentBy(channel).length;
    expect(await caller.use(tool)).toMatchObject({ ok: false, code: "opted_out", speech: sentences.opted_out });
    expect(sentBy(channel)).toHaveLength(before);
    expect(await caller.use(tool, { action: "opt_in" })).toMatchObject({ ok: true, output: { result: "resumed" } });
    expect(await caller.use(tool)).toMatchObject({ ok: true });
  });

  it("C09: does not resume at the caller's request after a bounce or a complaint, also when they have opted out in between", async () => {
    const caller = await t.verified(1, 0);
    const { telecom = [] } = await (await t.ehr(1)).read<Patient>("Patient", caller.patientId);
    const system = channel === "sms" ? "phone" : "email";
    const contact = normalizeContact(channel, telecom.find((one) => one.system === system)?.value ?? "")!;
    const before = sentBy(channel).length;
    for (const [reason, code] of [
      ["bounced", "not_doable"],
      ["complained", "opted_out"],
    ] as const) {
      await optOutAfterReceipt(t.context(1), reason, { channel, contact });
      const said = await caller.use(tool, { action: "opt_in" });
      expect(said).toMatchObject({ ok: false, code, output: { sent: false } });
      expect(said.speech).not.toContain("may be sent");
      expect(await caller.use(tool)).toMatchObject({ ok: false });
    }
    await caller.use(tool, { action: "opt_out" });
    expect(await caller.use(tool, { action: "opt_in" })).toMatchObject({ ok: false, code: "opted_out" });
    expect(sentBy(channel)).toHaveLength(before);
    await t.context(1).store.writeUnaudited(remove(keys.optOut(contact)));
  });

  it("without tool call ids, does not repeat its answer to a contact that has opted out since, nor after a minute", async () => {
    const caller = await t.verified(1, 2);
    const say = (args: object, laterMs = 0) => caller.use(tool, args, { toolCallId: "", laterMs });
    const before = sentBy(channel).length;
    const first = await say({ purpose: "callback" });
    expect(first).toMatchObject({ ok: true, output: { result: "sent" } });
    expect(await say({ purpose: "callback" })).toEqual(first);
    expect(sentBy(channel)).toHaveLength(before + 1);
    expect(await say({ purpose: "callback" }, 61_000)).toMatchObject({ ok: true });
    expect(sentBy(channel)).toHaveLength(before + 2);
    await say({ action: "opt_out" });
    expect(await say({ purpose: "callback" }, 62_000)).toMatchObject({ ok: false, code: "opted_out", speech: sentences.opted_out });
    await say({ action: "opt_in" });
    const other = await say({ purpose: "general" });
    expect(other).toMatchObject({ ok: true });
    await say({ action: "opt_out" }, 1000);
    expect(await say({ purpose: "general" }, 2000)).toMatchObject({ ok: false, code: "opted_out" });
    expect(sentBy(channel)).toHaveLength(before + 3);
    await say({ action: "opt_in" }, 3000);
  });

  it("waits for the office to open and says when, within five write units", async () => {
    const caller = await t.verified(0, 3);
    await caller.use(tool, { purpose: "callback" });
    const tomorrow = new Date(Date.now() + 86_400_000).toLocaleDateString("en-US", { weekday: "long", timeZone: timezone }).toLowerCase();
    const hours: BusinessHours = { ...always, days: { ...never, [tomorrow]: { start: "09:00", end: "10:00" } } };
    await settle(0, { contactPreferences: { ...preferences, businessHours: hours } });
    const before = sentBy(channel).length;
    const { answer, writes } = await t.cost(() => caller.use(tool));
    expect(answer).toMatchObject({ ok: true, output: { result: "queued", sent: false, sendAt: expect.any(String) } });
    expect(answer.speech).toMatch(/ will go out tomorrow at 9:00 AM\.$/);
    expect(writes).toBeLessThanOrEqual(5);
    expect(sentBy(channel)).toHaveLength(before);
    expect((await lastAudit(0, caller.callKey))?.detail).toMatchObject({ status: "queued", sendAt: expect.any(String) });
    const again = { ...hours, timezone: "America/Los_Angeles" };
    await settle(0, { contactPreferences: { ...preferences, businessHours: again } });
    // Spoken in the office's time zone, not the tenant's.
    expect((await caller.use(tool, { purpose: "callback" })).speech).toMatch(/ at 9:00 AM\.$/);
  });

  it("names the other way where the clinic does not write in this one", async () => {
    const caller = await t.verified(1, 1);
    await settle(1, { contactPreferences: { ...preferences, [`${channel}Enabled`]: false } });
    expect(await caller.use(tool)).toMatchObject({
      ok: false,
      code: "not_doable",
      output: { instead: channel === "sms" ? "email" : "sms" },
    });
  });

  it("says so when the record system is down, shows no appointments, or the chart was closed", async () => {
    const caller = await t.verified(1, 2);
    const unsupported = await caller.use(tool, { purpose: "appointment_reminder" }, { without: ["Appointment"] });
    expect(unsupported).toEqual({ ok: false, code: "ehr_unsupported", speech: sentences.ehr_unsupported });
    await t.fault(1, { kind: "503" });
    expect(await caller.use(tool)).toMatchObject({ ok: false, code: "ehr_unavailable" });
    await t.heal();
    const ehr = await t.ehr(1);
    await ehr.update<Patient>({ ...(await ehr.read<Patient>("Patient", caller.patientId)), active: false });
    expect(await caller.use(tool)).toMatchObject({ ok: false, code: "ehr_forbidden" });
    await ehr.update<Patient>({ ...(await ehr.read<Patient>("Patient", caller.patientId)), active: true });
  });
});

describe("a message that waited", () => {
  // Fetches all tokens first.
  beforeAll(async () => {
    await settle(0);
    const { caller } = await bookedBy(0, 5);
    await caller.use("sendEmail", { purpose: "appointment_reminder" });
  });

  /** A confirmation requested while the office was closed; it is open by now. */
  const waited = async (index: number) => {
    const { caller, appointment } = await bookedBy(0, index);
    const tomorrow = new Date(Date.now() + 86_400_000).toLocaleDateString("en-US", { weekday: "long", timeZone: timezone }).toLowerCase();
    const hours: BusinessHours = { ...always, days: { ...never, [tomorrow]: { start: "00:00", end: "00:01" } } };
    await settle(0, { contactPreferences: { ...preferences, businessHours: hours } });
    const args = { appointmentId: appointment.appointmentId, purpose: "appointment_confirmation" };
    const { answer, writes } = await t.cost(() => caller.use("sendSMS", args));
    expect(answer).toMatchObject({ output: { result: "queued" } });
    expect(writes).toBeLessThanOrEqual(5);
    await settle(0);
    const platform = platformStore(t.platform.ctx);
    const pages = await Promise.all(shards.map((shard) => platform.query<OutgoingRow>(partitions.outgoing(shard))));
    const rows = pages.flatMap(({ rows: found }) => found).filter((row): row is DeferredRow => row.kind === "message");
    const row = rows.find(({ callKey }) => callKey === caller.callKey);
    if (!row) throw new Error("Nothing was kept");
    return { caller, appointment, row };
  };
  const ended = (code: string) => ({
    over: true,
    audit: { success: false, code, detail: { status: "failed", messageId: expect.any(String) } },
  });

  it("goes out when nothing has changed, and its patient is sealed", async () => {
    const { caller, appointment, row } = await waited(4);
    expect(JSON.stringify(row)).not.toMatch(new RegExp(`${caller.patientId}|${appointment.appointmentId}`));
    const before = texts().length;
    expect(await sendDeferredMessage(t.context(0), row)).toMatchObject({
      over: true,
      audit: { success: true, detail: { status: "sent" } },
    });
    expect(texts()).toHaveLength(before + 1);
  });

  it("is not sent for an appointment that was cancelled or moved in between, nor to a closed chart or a changed number", async () => {
    const { caller, appointment, row } = await waited(5);
    const before = texts().length;
    const ehr = await t.ehr(0);
    const inChart = async (change: Partial<Patient>) =>
      ehr.update<Patient>({ ...(await ehr.read<Patient>("Patient", caller.patientId)), ...change });
    const { telecom } = await inChart({ active: false });
    expect(await sendDeferredMessage(t.context(0), row)).toMatchObject(ended("ehr_forbidden"));
    await inChart({ active: true, telecom: [{ system: "phone", value: "617-555-0188" }] });
    expect(await sendDeferredMessage(t.context(0), row)).toMatchObject(ended("contact_not_on_file"));
    await inChart({ telecom });
    const change = async (to: Partial<Appointment>) =>
      ehr.update<Appointment>({ ...(await ehr.read<Appointment>("Appointment", appointment.appointmentId)), ...to });
    const later = new Date(Date.parse(appointment.start) + 1_800_000).toISOString();
    await change({ start: later, end: new Date(Date.parse(later) + 900_000).toISOString() });
    expect(await sendDeferredMessage(t.context(0), row)).toMatchObject(ended("not_found"));
    await change({ start: appointment.start, status: "cancelled" });
    expect(await sendDeferredMessage(t.context(0), row)).toMatchObject(ended("not_found"));
    expect(texts()).toHaveLength(before);
  });

  it("waits on while the record system is down, and does not go by another one", async () => {
    const { row } = await waited(0);
    await t.fault(0, { kind: "503" });
    await expect(sendDeferredMessage(t.context(0), row)).rejects.toMatchObject({ code: "ehr_unavailable" });
    await t.heal();
    const ctx = t.context(0);
    const elsewhere = { ...ctx, openEhr: async () => ({ ...(await t.ehr(0)), providerId: "another" }) };
    expect(await sendDeferredMessage(elsewhere, row)).toMatchObject(ended("ehr_forbidden"));
  });
});

it("a confirmation by email carries a calendar entry with neither name nor reason, the same one again with its cancellation", async () => {
  const { caller, appointment } = await bookedBy(0, 3);
  await caller.use("sendEmail", { purpose: "appointment_confirmation", appointmentId: appointment.appointmentId });
  const [entry] = mails().at(-1)?.attachments ?? [];
  expect(entry?.content).toMatch(/METHOD:PUBLISH[^]*DTSTART:\d{8}T\d{6}Z/);
  const { given, family } = t.patients[3]!;
  expect(JSON.stringify(mails().at(-1)?.attachments)).not.toMatch(new RegExp(`${given}|${family}|${appointment.appointmentId}\\b`));
  await caller.use("scheduleAppointment", { action: "cancel", appointmentId: appointment.appointmentId });
  await caller.use("sendEmail", { appointmentId: appointment.appointmentId });
  const [cancelled] = mails().at(-1)?.attachments ?? [];
  const uid = /UID:\S+/.exec(entry?.content ?? "")?.[0];
  expect(uid).toMatch(/^UID:[0-9a-f]{32}@vitaline$/);
  expect(cancelled?.content).toContain(uid);
  expect(cancelled?.content).toMatch(/METHOD:CANCEL[^]*STATUS:CANCELLED/);
});

it("S02: who changes a patient's number again and again to be texted there is texted nowhere, and stopped at three changes a day", async () => {
  for (const which of [0, 1] as const) {
    const chart = await (await t.ehr(which)).read<Patient>("Patient", t.patients[5]!.id);
    const before = texts().length;
    const changes = [];
    for (let call = 0; call < 6; call++) {
      await t.platform.clinics[which].sandbox.put(chart);
      const caller = await t.verified(which, 5, 2);
      for (let nth = 0; nth < 4; nth++) {
        const phoneNumber = `+1617556${1000 + call * 10 + nth}`;
        changes.push(await caller.use("updatePatientFhir", { phoneNumber }));
        const { ok, output, speech } = await caller.use("sendSMS", { purpose: "general", to: phoneNumber });
        expect(ok).toBe(false);
        if (changes.at(-1)?.ok) expect(output).toMatchObject({ result: "just_changed" });
        if (changes.at(-1)?.ok)
          expect(speech).toMatch(/^I can't send anything to the number ending in \d\d yet, because it was only just changed\./);
      }
    }
    expect(changes.filter(({ ok }) => ok)).toHaveLength(3);
    expect(changes.at(-1)).toMatchObject({ code: "too_many_requests", output: { result: "enough" } });
    expect(changes.at(-1)?.speech).toMatch(/^Your contact details have been changed several times today/);
    expect(texts()).toHaveLength(before);
    const who = { providerId: t.providers[which]!, patientId: t.patients[5]!.id };
    const tomorrow = t.context(which, { laterMs: 86_400_000 });
    expect(await countContactChange({ ctx: tomorrow, ...who }, ["+16175561999"])).toBe(true);
    const later = (laterMs: number) =>
      isHeldAfterChange({ ctx: t.context(which, { laterMs: 86_400_000 + laterMs }), ...who }, "+16175561999");
    expect([await later(3_600_000), await later(3 * 3_600_000)]).toEqual([true, false]);
    await t.platform.clinics[which].sandbox.put(chart);
  }
});

it("C15: of several contacts a text goes to a mobile phone first, then the patient's own rank decides; old or invalid ones are ignored", () => {
  const patient: Patient = {
    resourceType: "Patient",
    telecom: [
      { system: "phone", use: "home", value: "617-555-0101" },
      { system: "phone", use: "old", value: "617-555-0102" },
      { system: "phone", use: "mobile", value: "617-555-0103" },
      { system: "phone", use: "work", value: "617-555-0104", rank: 1 },
      { system: "phone", value: "12" },
      { system: "phone", value: "617-555-0105", period: { end: "2020-01-01" } },
      { system: "email", value: "Ann@Example.com" },
    ],
  };
  expect(contactPointsFor(patient, "sms", new Date())).toEqual(["+16175550103", "+16175550104", "+16175550101"]);
  expect(contactPointsFor(patient, "email", new Date())).toEqual(["ann@example.com"]);
  expect(contactPointsFor({ resourceType: "Patient" }, "email", new Date())).toEqual([]);
});
