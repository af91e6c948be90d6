import { unseal } from "@vitaline/aws";
import { fillTemplate } from "@vitaline/contract";
import { sha256In, isAppError, newId } from "@vitaline/core";
import {
  create,
  keys,
  put,
  tenantStore,
  update,
  type CountRow,
  type OutgoingRow,
  type TenantContext,
  type TenantRow,
  outgoingKey,
  shards,
} from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import { platformStore } from "@vitaline/store/platform.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { addTenantRow } from "../../test/kit/store/tenant-row.ts";
import { reserveSend, releaseSend } from "./send-reservation.ts";
import {
  calendarIdOf,
  normalizeContact,
  callCounterKey,
  patientCounterKey,
  tenantCounterKey,
  contactHint,
  limits,
  optIn,
  optOut,
  sendDeferred,
  sendNow,
  sendMessage,
  sendOneTimeCode,
  type SendRequest,
  type DeferredRow,
  type MessageRequest,
} from "./index.ts";
import { decodeDeferred, encodeDeferred } from "./defer.ts";
import { render } from "./render.ts";

let it: TestAws;
let tenants: [TenantRow, TenantRow];
const office = newId();
/** Monday, June 1, 2026: noon and midnight in New York. */
const noon = new Date("2026-06-01T16:00:00Z");
const night = new Date("2026-06-02T04:00:00Z");
const morning = new Date("2026-06-02T13:00:00Z");

beforeEach(async () => {
  process.env["MAIL_FROM"] = "Vitaline <no-reply@vitaline.example>";
  process.env["SMS_ORIGINATION"] = "arn:aws:sms-voice:us-east-1:000000000000:pool/pool-test";
  it = await startTestAws();
  tenants = [
    await addTenantRow(it.platform(), it.tenants[0], "North Clinic"),
    await addTenantRow(it.platform(), it.tenants[1], "South Clinic"),
  ];
  await ctx(0).store.commit(
    [
      create(keys.office(office), {
        id: office,
        name: "Downtown",
        phone: "617-555-0100",
        address: "1 Main St",
        isActive: true,
        createdAt: noon.toISOString(),
      }),
    ],
    { category: "configuration_change", action: "office.create", resourceType: "Office" },
  );
});
beforeEach(() => it.fault());
afterEach(() => {
  delete process.env["MAIL_FROM"];
  delete process.env["SMS_ORIGINATION"];
  return it.close();
});

const ctx = (which: 0 | 1, now = noon): TenantContext => {
  const own = { ...it.inTenant(it.tenants[which]), clock: () => now };
  return { ...own, store: tenantStore(own, own.tenantId) };
};
let numbers = 0;
/** A number without earlier messages. */
const newNumber = (): string => `+1617555${String(2000 + numbers++)}`;
const request = (more: Partial<MessageRequest> = {}): MessageRequest => ({
  channel: "sms",
  purpose: "general",
  to: newNumber(),
  ...more,
});
const nothingAgainst = async () => undefined;
const asked = (which: 0 | 1, more: Partial<MessageRequest> = {}, key = sha256In("test", newId())): SendRequest => ({
  key,
  tenant: tenants[which],
  request: request(more),
  ...(which === 0 ? { officeId: office } : {}),
});
const lastText = () => it.aws.sms.texts().at(-1);
const counts = () => [it.aws.sms.texts().length, it.aws.ses.mails().length];
const waiting = async (): Promise<OutgoingRow[]> => {
  const platform = platformStore({ ...it.platform(), clock: () => noon });
  const pages = await Promise.all(shards.map((shard) => platform.query<OutgoingRow>(partitions.outgoing(shard))));
  return pages.flatMap(({ rows }) => rows);
};

/** A message of the other tenant, requested at night. */
const kept = async (more: Partial<MessageRequest>): Promise<DeferredRow> => {
  const message = asked(1, more);
  await sendMessage(ctx(1, night), message);
  const row = (await waiting()).find((one) => one.kind === "message" && message.key.startsWith(one.key));
  if (row?.kind !== "message") throw new Error("Not a message");
  return row;
};
const neverOpen = (tenant: TenantRow): TenantRow => ({
  ...tenant,
  contactPreferences: {
    defaultMethod: "sms",
    emailEnabled: true,
    smsEnabled: true,
    phoneEnabled: true,
    businessHours: {
      start: "09:00",
      end: "17:00",
      timezone: "America/New_York",
      days: { monday: null, tuesday: null, wednesday: null, thursday: null, friday: null, saturday: null, sunday: null },
    },
  },
});

test("contacts are normalized, and a hint reveals only a part", () => {
  expect(["(617) 555-0142", "617.555.0142", "+1 617 555 0142", "1-617-555-0142"].map((text) => normalizeContact("sms", text))).toEqual(
    Array(4).fill("+16175550142"),
  );
  expect(normalizeContact("sms", "+49 30 901820")).toBe("+4930901820");
  for (const none of ["", "12", "ann@example.com", "5550142"]) expect(normalizeContact("sms", none)).toBeUndefined();
  expect(normalizeContact("email", " Ann@Example.COM ")).toBe("ann@example.com");
  expect(normalizeContact("email", "ann")).toBeUndefined();
  expect([contactHint("sms", "+16175550142"), contactHint("email", "ann@example.com")]).toEqual(["42", "A"]);
});

describe("the text", () => {
  test("a sentence with an unknown value is left out", () => {
    expect(fillTemplate("At {office} on {date}. To change it, call {phone}.", { office: "North", date: "Monday" })).toBe(
      "At North on Monday.",
    );
    expect(fillTemplate("{constructor} {toString}.", {})).toBe("");
  });

  test("uses the office's data, else the tenant's, in the office's time zone, without the patient's name", () => {
    const visit = { calendarId: "c1", start: "2026-06-08T14:00:00Z", revision: 29_000_000 };
    const row = { id: office, name: "Downtown", phone: "617-555-0100", isActive: true, createdAt: "" };
    const words = (purpose: MessageRequest["purpose"], more: Partial<MessageRequest> = {}) =>
      render({ tenant: tenants[0], office: row }, request({ purpose, visit, ...more }))?.text;
    expect(words("appointment_reminder")).toBe(
      "A reminder of your appointment at Downtown on Monday, June 8 at 10:00 AM. To change it, please call 617-555-0100. Reply STOP to opt out.",
    );
    const atNoon = { ...visit, start: "2026-06-08T16:00:00Z" };
    expect(words("appointment_reminder", { visit: atNoon })).toContain("on Monday, June 8 at noon. To change it");
    expect(words("appointment_reminder", { visit: atNoon, language: "es" })).toContain(
      "el lunes 8 de junio a las 12:00 del mediodía. Para",
    );
    const west = { ...row, businessHours: { start: "09:00", end: "17:00", timezone: "America/Los_Angeles" } };
    expect(render({ tenant: tenants[0], office: west }, request({ purpose: "appointment_reminder", visit }))?.text).toContain("at 7:00 AM");
    expect(words("appointment_confirmation", { visit: { ...visit, cancelled: true } })).toContain("is canceled");
    const own = { ...row, messageTemplates: { followUp: "Thanks from {office}!" } };
    expect(render({ tenant: tenants[0], office: own }, request({ purpose: "follow_up", channel: "email" }))).toEqual({
      subject: "A message from Downtown",
      text: "Thanks from Downtown!",
      attachments: [],
    });
  });

  test("names the place of the visit where it is not the office that was called, and that office's address no more", () => {
    const visit = { calendarId: "c1", start: "2026-06-08T14:00:00Z", revision: 29_000_000 };
    const row = { id: office, name: "Downtown", phone: "617-555-0100", address: "1 Main St", isActive: true, createdAt: "" };
    const own = { ...row, messageTemplates: { appointmentReminder: "See you at {office} at {time}. We are at {address}. Call {phone}." } };
    const mailed = (place: string, more: object = {}) =>
      render(
        { tenant: tenants[0], office: own },
        request({ purpose: "appointment_reminder", channel: "email", visit: { ...visit, place, ...more } }),
      );
    const elsewhere = mailed("Mockford North");
    expect(elsewhere?.subject).toBe("A message from Downtown");
    expect(elsewhere?.text).toBe("See you at Mockford North at 10:00 AM. Call 617-555-0100.");
    expect(elsewhere?.attachments[0]?.content).toContain("LOCATION:Mockford North\r\n");
    expect(elsewhere?.attachments[0]?.content).toContain("SUMMARY:Appointment at Mockford North\r\n");
    expect(elsewhere?.attachments[0]?.content).not.toContain("Main St");
    expect(elsewhere?.attachments[0]?.content).toMatch(/ORGANIZER;CN="?Downtown/);
    expect(mailed("Mockford North", { cancelled: true })?.text).toContain("Your appointment at Mockford North on");
    const here = mailed("DOWNTOWN ");
    expect(here?.text).toBe("See you at Downtown at 10:00 AM. We are at 1 Main St. Call 617-555-0100.");
    expect(here?.attachments[0]?.content).toContain("LOCATION:1 Main St\r\n");
  });

  test("in Spanish has the clinic's Spanish texts, else the standard ones, with date and time in Spanish", () => {
    const visit = { calendarId: "c1", start: "2026-06-08T14:00:00Z", revision: 29_000_000 };
    const row = { id: office, name: "Downtown", phone: "617-555-0100", isActive: true, createdAt: "" };
    const own = { ...row, spanishMessageTemplates: { followUp: "¡Gracias! Nos vemos el {date} a {time}." } };
    const words = (of: typeof row, more: Partial<MessageRequest>) =>
      render({ tenant: tenants[0], office: of }, request({ visit, ...more }))?.text;
    expect(words(row, { purpose: "appointment_reminder", language: "es" })).toBe(
      "Le recordamos su cita en Downtown el lunes 8 de junio a las 10:00 a.m. Para cambiarla, llame al 617-555-0100. Responda STOP para no recibir más mensajes.",
    );
    const atOne = { ...visit, start: "2026-06-08T17:05:00Z" };
    expect(words(own, { purpose: "follow_up", channel: "email", language: "es", visit: atOne })).toBe(
      "¡Gracias! Nos vemos el lunes 8 de junio a la 1:05 p.m.",
    );
    expect(words(own, { purpose: "follow_up", channel: "email", language: "en" })).toBe(
      "Thank you for calling Downtown. If you need anything else, please call 617-555-0100.",
    );
    expect(words(row, { purpose: "appointment_confirmation", language: "es", visit: { ...visit, cancelled: true } })).toContain(
      "Su cita en Downtown del lunes 8 de junio a las 10:00 a.m. fue cancelada.",
    );
    const mail = render(
      { tenant: tenants[0], office: row },
      request({ visit, purpose: "appointment_confirmation", channel: "email", language: "es" }),
    );
    expect(mail?.subject).toBe("Un mensaje de Downtown");
    expect(mail?.attachments[0]?.content).toContain("SUMMARY:Cita en Downtown");
  });

  test("is in the office's language where the recipient's is not known, and in English for an office without one", () => {
    const row = { id: office, name: "Downtown", phone: "617-555-0100", isActive: true, createdAt: "" };
    const spanish = { ...row, language: "es" as const };
    const words = (of: typeof row, more: Partial<MessageRequest> = {}) => render({ tenant: tenants[0], office: of }, request(more))?.text;
    expect(words(spanish)).toMatch(/^Gracias por llamar a Downtown\./);
    expect(words(spanish, { language: "en" })).toMatch(/^Thank you for calling Downtown\./);
    expect(words(row)).toMatch(/^Thank you for calling Downtown\./);
  });

  test("directions without an address are not sent, even with a phone number", () => {
    const row = { id: office, name: "Downtown", phone: "617-555-0100", isActive: true, createdAt: "" };
    expect(render({ tenant: tenants[0], office: row }, request({ purpose: "directions" }))).toBeUndefined();
    const there = { ...row, address: "1 Main St" };
    expect(render({ tenant: tenants[0], office: there }, request({ purpose: "directions" }))?.text).toContain("Downtown is at 1 Main St.");
  });

  test("a calendar entry keeps its UID, increases its sequence, marks a cancellation, and does not name the patient", () => {
    const visit = { calendarId: "c1", start: "2026-06-08T14:00:00Z", end: "2026-06-08T14:20:00Z", revision: 29_000_000 };
    const entry = (more: object) =>
      render({ tenant: tenants[0] }, request({ channel: "email", purpose: "appointment_confirmation", visit: { ...visit, ...more } }))
        ?.attachments[0];
    const first = entry({});
    expect(first?.contentType).toBe("text/calendar; method=PUBLISH; charset=utf-8");
    const lines = first?.content.split("\r\n") ?? [];
    for (const line of [
      "METHOD:PUBLISH",
      "UID:c1@vitaline",
      "SEQUENCE:29000000",
      "DTSTART:20260608T140000Z",
      "DTEND:20260608T142000Z",
      "STATUS:CONFIRMED",
    ])
      expect(lines).toContain(line);
    const gone = entry({ cancelled: true, revision: 29_000_001 });
    expect(gone?.contentType).toContain("method=CANCEL");
    for (const line of ["METHOD:CANCEL", "UID:c1@vitaline", "SEQUENCE:29000001", "STATUS:CANCELLED"])
      expect(gone?.content.split("\r\n")).toContain(line);
    expect(first?.content).not.toMatch(/ATTENDEE|DESCRIPTION/);
  });
});

describe("a message", () => {
  test("is sent during opening hours, once per key, for one write unit", async () => {
    const message = asked(0);
    it.resetUsage();
    const sent = await sendMessage(ctx(0), message);
    expect(it.usage().map(({ operation, writeUnits }) => [operation, writeUnits])).toEqual([
      ["BatchGetItem", 0],
      ["PutItem", 1],
    ]);
    expect(sent).toMatchObject({ status: "sent", channel: "sms", purpose: "general", providerMessageId: lastText()?.id });
    expect(lastText()?.text).toBe("Thank you for calling Downtown. You can reach us at 617-555-0100. Reply STOP to opt out.");
    const before = counts();
    await expect(sendMessage(ctx(0), message)).rejects.toSatisfy((error: unknown) => isAppError(error, "in_progress"));
    expect(await sendMessage(ctx(0, new Date(noon.getTime() + 60_000)), message)).toMatchObject({ id: sent.id, status: "unknown" });
    expect(counts()).toEqual(before);
    // Another tenant's message may have the same key.
    expect(await sendMessage(ctx(1), asked(1, { purpose: "follow_up" }, message.key))).toMatchObject({ status: "sent" });
    expect(lastText()?.text).toContain("South Clinic");
  });

  test("is sent once by concurrent requests", async () => {
    const before = counts();
    const message = asked(0);
    const raced = await Promise.allSettled(Array.from({ length: 6 }, () => sendMessage(ctx(0), message)));
    expect(raced.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(counts()).toEqual([before[0]! + 1, before[1]]);
  });

  test("that was claimed by a crashed process is never sent again", async () => {
    const message = asked(0);
    await reserveSend(ctx(0), { to: message.request.to, key: message.key }, newId(), undefined);
    const before = counts();
    expect(await sendMessage(ctx(0, new Date(noon.getTime() + 31_000)), message)).toMatchObject({
      status: "unknown",
      code: "message_failed",
    });
    expect(counts()).toEqual(before);
  });

  test("that certainly was not sent may be requested again; one with an unknown result may not", async () => {
    const message = asked(0);
    it.fault(({ service }) => (service === "sms-voice" ? { status: 500, code: "InternalServerException", message: "later" } : undefined));
    expect(await sendMessage(ctx(0), message)).toMatchObject({ status: "failed", code: "message_failed" });
    it.fault(({ service }) => (service === "sms-voice" ? "after" : undefined));
    expect(await sendMessage(ctx(0), message)).toMatchObject({ status: "unknown", code: "message_failed" });
    it.fault();
    const before = counts();
    expect(await sendMessage(ctx(0, new Date(noon.getTime() + 60_000)), message)).toMatchObject({ status: "unknown" });
    expect(counts()).toEqual(before);
  });

  test("is not sent to an opted-out contact until it opts in again; other tenants are not affected", async () => {
    const to = "+16175550177";
    await optOut(ctx(0), "sms", to);
    const before = counts();
    expect(await sendMessage(ctx(0), asked(0, { to }))).toMatchObject({ status: "opted_out", code: "opted_out" });
    expect(counts()).toEqual(before);
    expect(await sendMessage(ctx(1), asked(1, { to, purpose: "follow_up" }))).toMatchObject({ status: "sent" });
    await optIn(ctx(0), to);
    expect(await sendMessage(ctx(0), asked(0, { to }))).toMatchObject({ status: "sent" });
  });

  test("is not sent through a disabled channel or without a text", async () => {
    const contactPreferences = {
      defaultMethod: "email" as const,
      emailEnabled: true,
      smsEnabled: false,
      phoneEnabled: true,
      businessHours: { start: "09:00", end: "17:00", timezone: "America/New_York" },
    };
    const message = asked(0);
    const silent = { ...message, tenant: { ...message.tenant, contactPreferences } };
    expect(await sendMessage(ctx(0), silent)).toMatchObject({ status: "failed", code: "not_doable", why: "switched_off" });
    expect(await sendMessage(ctx(1), asked(1, { purpose: "directions" }))).toMatchObject({
      status: "failed",
      code: "not_doable",
      why: "no_words",
    });
  });

  test("is not sent for an office that never opens, and the result says why", async () => {
    const message = asked(1, { purpose: "follow_up" });
    const before = counts();
    expect(await sendMessage(ctx(1), { ...message, tenant: neverOpen(message.tenant) })).toMatchObject({
      status: "failed",
      code: "not_doable",
      why: "never_open",
    });
    expect(counts()).toEqual(before);
  });

  test("that is in flight at the deadline is unknown, and nothing is started after it", async () => {
    const message = asked(0);
    const late = new AbortController();
    it.fault(({ service }) => (service === "sms-voice" ? (late.abort(), "drop") : undefined));
    expect(await sendMessage(ctx(0), { ...message, signal: late.signal })).toMatchObject({ status: "unknown", code: "message_failed" });
    it.fault();
    const before = counts();
    expect(await sendMessage(ctx(0), { ...asked(0), signal: late.signal })).toMatchObject({ status: "failed", code: "message_failed" });
    expect(counts()).toEqual(before);
  });
});

describe("too many messages", () => {
  const hoursLater = (hours: number) => new Date(noon.getTime() + hours * 3_600_000);
  const refused = { status: "failed", code: "too_many_requests" };

  test("are not sent to one contact in an hour or a day, from any call; other contacts and tenants are not affected", async () => {
    const to = newNumber();
    const before = counts();
    it.resetUsage();
    const statuses = async (now: Date, count: number) => {
      const sent = [];
      for (let i = 0; i < count; i++) sent.push((await sendNow(ctx(0, now), asked(0, { to }))).status);
      return sent;
    };
    expect(await statuses(noon, 6)).toEqual([...Array(limits.toContactAnHour).fill("sent"), "failed"]);
    expect(await sendMessage(ctx(0), asked(0, { to }))).toMatchObject(refused);
    expect(await statuses(hoursLater(2), 6)).toEqual([...Array(limits.toContactADay - limits.toContactAnHour).fill("sent"), "failed"]);
    expect(await statuses(hoursLater(4), 1)).toEqual(["failed"]);
    // Even the last one costs a single write unit.
    expect(it.usage().filter(({ writeUnits }) => writeUnits > 1)).toEqual([]);
    expect(counts()[0]).toBe(before[0]! + limits.toContactADay);
    expect(await sendMessage(ctx(0), asked(0))).toMatchObject({ status: "sent" });
    expect(await sendMessage(ctx(1), asked(1, { to, purpose: "follow_up" }))).toMatchObject({ status: "sent" });
    expect(await statuses(hoursLater(25), 1)).toEqual(["sent"]);
  });

  test("are not sent to one contact by concurrent requests", async () => {
    const to = newNumber();
    const before = counts();
    const sent = await Promise.all(Array.from({ length: 9 }, () => sendNow(ctx(0), asked(0, { to }))));
    expect(sent.filter(({ status }) => status === "sent")).toHaveLength(limits.toContactAnHour);
    expect(counts()[0]).toBe(before[0]! + limits.toContactAnHour);
  });

  test("exclude messages that AWS did not accept", async () => {
    const to = newNumber();
    it.fault(({ service }) => (service === "sms-voice" ? { status: 500, code: "InternalServerException", message: "later" } : undefined));
    for (let i = 0; i < 7; i++) expect(await sendNow(ctx(0), asked(0, { to }))).toMatchObject({ code: "message_failed" });
    it.fault();
    expect(await sendNow(ctx(0), asked(0, { to }))).toMatchObject({ status: "sent" });
  });

  test("are not sent in one call, or from one tenant in an hour", async () => {
    const own = ctx(0, hoursLater(1));
    const note = (key: ReturnType<typeof callCounterKey>, count: number) =>
      own.store.writeUnaudited(update<CountRow>(key, { set: { count, expiresAt: 4e9 } }));
    const callKey = "c".repeat(40);
    await note(callCounterKey(callKey), limits.inCall);
    const before = counts();
    expect(await sendMessage(own, { ...asked(0), callKey })).toMatchObject(refused);
    expect(await sendMessage(own, { ...asked(0), callKey: "d".repeat(40) })).toMatchObject({ status: "sent" });
    await note(tenantCounterKey(own.clock()), limits.fromTenantAnHour);
    expect(await sendMessage(own, asked(0))).toMatchObject(refused);
    expect(await sendMessage(ctx(1, hoursLater(1)), asked(1, { purpose: "follow_up" }))).toMatchObject({ status: "sent" });
    expect(counts()[0]).toBe(before[0]! + 2);
    await note(tenantCounterKey(own.clock()), 0);
  });

  test("S02: are not sent about one patient in a day, to any numbers", async () => {
    const own = ctx(0, hoursLater(1));
    const about = { providerId: "f1", patientId: "pumped" };
    await own.store.writeUnaudited(
      update<CountRow>(patientCounterKey(about.patientId, own.clock()), { set: { count: limits.aboutPatientADay, expiresAt: 4e9 } }),
    );
    expect(await sendMessage(own, { ...asked(0), about })).toMatchObject(refused);
    expect(await sendMessage(own, { ...asked(0), about: { ...about, patientId: "another" } })).toMatchObject({ status: "sent" });
    expect(await sendMessage(ctx(1, hoursLater(1)), { ...asked(1), about })).toMatchObject({ status: "sent" });
  });

  test("S02: are sent to the countries that the tenant selected, else only to its own", async () => {
    const own = ctx(0, hoursLater(1));
    const abroad = { status: "failed", code: "not_doable", why: "abroad" };
    const textTo = (to: string, policies?: TenantRow["policies"]) => {
      const { tenant, ...rest } = asked(0, { to });
      return sendMessage(own, { ...rest, tenant: { ...tenant, policies } });
    };
    const before = counts();
    for (const to of ["+18765551234", "+37120000000", "+442079460000", "+14165550123"]) expect(await textTo(to)).toMatchObject(abroad);
    expect(counts()).toEqual(before);
    for (const to of ["+16175550171", "+17875550171"]) expect(await textTo(to)).toMatchObject({ status: "sent" });
    expect(await textTo("+14165550123", { textCountries: ["US", "CA"] })).toMatchObject({ status: "sent" });
    expect(await textTo("+16175550172", { textCountries: ["CA"] })).toMatchObject(abroad);
  });

  test("are not deferred for one contact either, and a deferred one costs a single write unit", async () => {
    const to = newNumber();
    const kept = [];
    it.resetUsage();
    const visit = { calendarId: "c1", start: morning.toISOString(), end: noon.toISOString(), revision: 29_000_000, place: "P".repeat(160) };
    const about = { providerId: newId(), patientId: newId(), appointmentId: newId() };
    kept.push(await sendMessage(ctx(0, night), { ...asked(0, { to, purpose: "appointment_confirmation", visit }), about }));
    expect(it.usage().reduce((sum, { writeUnits }) => sum + writeUnits, 0)).toBe(1);
    for (let i = 0; i < limits.waitingForContact; i++) kept.push(await sendMessage(ctx(0, night), asked(0, { to })));
    expect(kept.map(({ status }) => status)).toEqual([...Array(limits.waitingForContact).fill("queued"), "failed"]);
    expect(kept.at(-1)).toMatchObject(refused);
    const rows = await waiting();
    expect(rows).toHaveLength(limits.waitingForContact);
    for (const row of rows) await ctx(0).store.writeUnaudited({ verb: "delete", key: outgoingKey(row) });
  });

  test("stop counting when their row has expired, even before the database has deleted it", async () => {
    const to = newNumber();
    const sends = Array.from({ length: 10 }, (_, i) => ({ key: `k${i}`, messageId: newId(), atMs: noon.getTime() - 1000 }));
    await ctx(0).store.writeUnaudited(put(keys.sentTo(to), { sends, version: 7, expiresAt: Math.floor(noon.getTime() / 1000) - 1 }));
    expect(await sendMessage(ctx(0), asked(0, { to }))).toMatchObject({ status: "sent" });
  });

  test("a released claim does not release other claims", async () => {
    const to = newNumber();
    expect(await reserveSend(ctx(0), { to, key: "one" }, newId(), undefined)).toBe("reserved");
    expect(await reserveSend(ctx(0), { to, key: "two" }, newId(), undefined)).toBe("reserved");
    await releaseSend(ctx(0), { to, key: "one" });
    expect(await reserveSend(ctx(0), { to, key: "two" }, newId(), undefined)).toBe("in_progress");
    expect(await reserveSend(ctx(0), { to, key: "one" }, newId(), undefined)).toBe("reserved");
  });
});

describe("a message outside opening hours", () => {
  test("is unchanged after encoding and decoding", () => {
    const start = "2026-06-08T14:00:00Z";
    const about = { providerId: "f1", patientId: "p1" };
    const calendarId = calendarIdOf("f1", "a1");
    for (const waiting of [
      { request: request() },
      { request: request({ message: "Bring your card" }), about },
      { request: request({ visit: { calendarId: "c1", start, revision: 1 } }) },
      { request: request({ visit: { calendarId: "c1", start, revision: 1, place: "Mockford North" } }) },
      {
        request: request({ visit: { calendarId, start, end: start, revision: 1, cancelled: true } }),
        about: { ...about, appointmentId: "a1" },
      },
    ])
      expect(decodeDeferred(encodeDeferred(waiting), waiting.request)).toEqual(waiting);
  });

  test("keeps its language, and one stored without any is still read", () => {
    const waiting = { request: request({ language: "es" }) };
    expect(decodeDeferred(encodeDeferred(waiting), waiting.request)).toEqual(waiting);
    const stored = JSON.stringify(["+16175550142", null, null, null]);
    expect(decodeDeferred(stored, waiting.request).request).toEqual({ channel: "sms", purpose: "general", to: "+16175550142" });
  });

  test("is deferred, sealed, to the next opening, is one row for repeated requests, and is then sent once", async () => {
    const message = asked(0, { channel: "email", to: "ann@example.com", purpose: "follow_up", message: "Bring your card" });
    const before = counts();
    const sent = await sendMessage(ctx(0, night), message);
    expect(sent).toMatchObject({ status: "queued", sendAt: morning.toISOString(), timeZone: "America/New_York" });
    await sendMessage(ctx(0, night), message);
    const [row, ...others] = await waiting();
    expect([row?.dueAt, row?.kind, others]).toEqual([morning.toISOString(), "message", []]);
    expect(JSON.stringify(row)).not.toMatch(/ann@|Bring/);
    if (row?.kind !== "message") throw new Error("Not a message");
    expect(decodeDeferred(await unseal("phi", it.tenants[0], row.sealed), row)).toEqual({ request: message.request });
    expect(counts()).toEqual(before);

    expect(await sendDeferred(ctx(0, night), row, nothingAgainst)).toEqual({ later: morning });
    const attended = await sendDeferred(ctx(0, morning), row, nothingAgainst);
    expect(attended).toMatchObject({
      over: true,
      audit: { action: "message.send", success: true, detail: { messageId: row.messageId, status: "sent" } },
    });
    expect(JSON.stringify(attended)).not.toMatch(/ann@|Bring/);
    expect(it.aws.ses.mails().at(-1)).toMatchObject({ to: ["ann@example.com"], text: "Downtown: Bring your card" });
    const later = new Date(morning.getTime() + 60_000);
    expect(await sendDeferred(ctx(0, later), row, nothingAgainst)).toMatchObject({
      over: true,
      audit: { success: false, detail: { status: "unknown" } },
    });
    expect(counts()).toEqual([before[0], before[1]! + 1]);
  });

  test("is retried while AWS is unavailable, and given up in the end", async () => {
    const row = await kept({ purpose: "follow_up" });
    it.fault(({ service }) => (service === "sms-voice" ? { status: 500, code: "InternalServerException", message: "later" } : undefined));
    expect(await sendDeferred(ctx(1, morning), row, nothingAgainst)).toEqual({ later: new Date(morning.getTime() + 120_000), tries: 1 });
    const ended = { over: true, audit: { success: false, code: "message_failed", detail: { messageId: row.messageId, status: "failed" } } };
    for (const tries of [7, 8]) expect(await sendDeferred(ctx(1, morning), { ...row, tries }, nothingAgainst)).toMatchObject(ended);
  });

  test("is not sent if a check fails or its visit has started, and each case is audited", async () => {
    const before = counts();
    const ended = (code: string) => ({ over: true, audit: { success: false, code, detail: { status: "failed" } } });
    const row = await kept({ purpose: "follow_up" });
    expect(await sendDeferred(ctx(1, morning), row, async () => "ehr_forbidden")).toMatchObject(ended("ehr_forbidden"));
    await expect(sendDeferred(ctx(1, morning), row, () => Promise.reject(new Error("down")))).rejects.toThrow("down");
    const told = await kept({
      purpose: "appointment_confirmation",
      visit: { calendarId: "c1", start: new Date(morning.getTime() + 60_000).toISOString(), revision: 1 },
    });
    const after = new Date(morning.getTime() + 120_000);
    expect(await sendDeferred(ctx(1, after), told, nothingAgainst)).toMatchObject(ended("deadline_exceeded"));
    // The visit is before the next opening.
    const early = await kept({
      purpose: "appointment_confirmation",
      visit: { calendarId: "c1", start: "2026-06-02T10:00:00Z", revision: 1 },
    });
    expect(await sendDeferred(ctx(1, night), early, nothingAgainst)).toMatchObject(ended("deadline_exceeded"));
    expect(counts()).toEqual(before);
  });

  test("ends with an audit row if the office never opens any more or the tenant is inactive", async () => {
    const before = counts();
    const row = await kept({ purpose: "follow_up" });
    const save = (tenant: TenantRow) =>
      ctx(1).store.commit([put(keys.tenantConfig(), tenant)], {
        category: "configuration_change",
        action: "tenant.update",
        resourceType: "Tenant",
      });
    for (const changed of [neverOpen(tenants[1]), { ...tenants[1], isActive: false }]) {
      await save(changed);
      expect(await sendDeferred(ctx(1, morning), row, nothingAgainst)).toMatchObject({
        over: true,
        audit: { success: false, code: "not_doable", detail: { messageId: row.messageId, status: "failed" } },
      });
    }
    await save(tenants[1]);
    expect(counts()).toEqual(before);
  });
});

describe("a one-time code", () => {
  const code = { channel: "sms" as const, to: "617-555-0155", code: "493817", callKey: "c".repeat(40) };

  test("is sent at any hour, without a write, and is logged without number or code", async () => {
    it.resetUsage();
    const { detail } = await sendOneTimeCode(ctx(0, night), tenants[0], code);
    expect(it.usage().reduce((sum, { writeUnits }) => sum + writeUnits, 0)).toBe(0);
    expect(lastText()).toMatchObject({ to: "+16175550155", text: expect.stringContaining("493817 is your code for North Clinic") });
    expect(detail).toMatchObject({ channel: "sms", purpose: "one_time_code", status: "sent" });
    expect(JSON.stringify(detail)).not.toMatch(/493817|0155/);
    await sendOneTimeCode(ctx(0), tenants[0], { ...code, language: "es" });
    expect(lastText()?.text).toBe("493817 es su código para North Clinic. Dígalo solo en la llamada en la que lo pidió.");
  });

  test("is not sent to an opted-out, bounced or invalid contact, each with its own error code", async () => {
    const failing = (more: Partial<typeof code>) => sendOneTimeCode(ctx(0), tenants[0], { ...code, ...more });
    await expect(failing({ to: "12" })).rejects.toMatchObject({ code: "contact_not_on_file" });
    await optOut(ctx(0), "sms", "+16175550166");
    await expect(failing({ to: "+16175550166" })).rejects.toMatchObject({ code: "opted_out" });
    it.fault(({ service }) => (service === "sms-voice" ? { status: 400, code: "ValidationException", message: "no" } : undefined));
    await expect(failing({})).rejects.toMatchObject({ code: "message_failed" });
  });
});

test("a repeated request for a deferred message names the message that waits", async () => {
  const message = asked(1);
  const first = await sendMessage(ctx(1, night), message);
  const again = await sendMessage(ctx(1, new Date(night.getTime() + 60_000)), message);
  const rows = (await waiting()).filter((one) => one.kind === "message" && message.key.startsWith(one.key));
  expect(rows.map((row) => (row.kind === "message" ? row.messageId : ""))).toEqual([first.id]);
  expect(again).toMatchObject({ status: "queued", id: first.id });
});
