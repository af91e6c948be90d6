import { newId } from "@vitaline/core";
import { sendMessage } from "@vitaline/messages";
import { timeZoneOf } from "@vitaline/offices";
import { create, keys, type OfficeRow } from "@vitaline/store";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runTool, loadTools } from "@vitaline/tools";
import { calendarText } from "../../packages/webhooks/calendar/ical.ts";
import { answerIncoming } from "../../packages/voice-providers/vapi/incoming-calls.ts";
import { instantIn } from "../../packages/tools/nlu/calendar.ts";
import { readWhen } from "../../packages/tools/nlu/when/read-when.ts";
import { plainPhrasing, phrasingIn } from "../../packages/tools/test/sentences.fixture.ts";
import { outputOf, startTools, type Tools, type Which } from "../../packages/tools/test/tools.fixture.ts";

const tools = await loadTools();

const zones = [
  "America/New_York",
  "America/Chicago",
  "America/Denver",
  "America/Phoenix",
  "America/Los_Angeles",
  "America/Anchorage",
  "Pacific/Honolulu",
  "America/Puerto_Rico",
];
const offices = zones.map((timezone) => ({ timezone, id: newId() }));

let t: Tools;
beforeAll(async () => {
  process.env["MAIL_FROM"] = "Vitaline <no-reply@vitaline.example>";
  process.env["SMS_ORIGINATION"] = "arn:aws:sms-voice:us-east-1:000000000000:pool/pool-test";
  t = await startTools();
  const rows = offices.map(({ timezone, id }) =>
    create<OfficeRow>(keys.office(id), {
      ...{ id, name: `Office in ${timezone}`, isActive: true, createdAt: "2026-11-20T10:00:00Z" },
      businessHours: { start: "00:00", end: "23:59", timezone },
    }),
  );
  const made = { category: "configuration_change", action: "office.create", resourceType: "Office" } as const;
  for (const which of [0, 1] as const) await t.context(which).store.commit(rows, made);
}, 60_000);
afterAll(async () => {
  await t.close();
  delete process.env["MAIL_FROM"];
  delete process.env["SMS_ORIGINATION"];
});

let sentTexts = 0;
const texts = () => t.platform.aws.aws.sms.texts();
const mails = () => t.platform.aws.aws.ses.mails();
/** "Tuesday, March 9 at 2:30 PM" */
const spoken = /(\w+day, \w+ \d+) at (\d+:\d\d [AP]M|noon)/;

it("C02 a visit has one instant and one wall time in every channel, in any office's zone and around both clock changes", async () => {
  const tenant = (await t.context(0).store.get(keys.tenantConfig()))!;
  const hour = 3_600_000;
  const near = (change: string) => fc.integer({ min: -36, max: 36 }).map((halfHours) => Date.parse(change) + (halfHours * hour) / 2);
  const starts = fc.oneof(near("2027-03-14T09:00:00Z"), near("2026-11-01T08:00:00Z"), near("2027-07-01T12:00:00Z"));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...offices), starts, async ({ id: officeId, timezone }, at) => {
      const start = new Date(at).toISOString();
      const office = await t.context(0).store.get<OfficeRow>(keys.office(officeId));
      const zone = timeZoneOf(tenant, office);
      const speech = tools["scheduleAppointment"]!.speak(
        { result: "booked", appointment: { appointmentId: "a", start } },
        plainPhrasing(zone),
      );
      const [, day = "", time = ""] = spoken.exec(speech) ?? [];
      const visit = { calendarId: newId(), start, revision: 1 };
      const request = { channel: "email", purpose: "appointment_confirmation", to: `${newId()}@patient.example`, visit } as const;
      const sent = await sendMessage(t.context(0, { laterMs: at - 2 * hour - Date.now() }), { key: newId(), tenant, officeId, request });
      expect(sent.status).toBe("sent");
      const { text, attachments } = mails().at(-1)!;
      expect([text?.includes(day), text?.includes(time)]).toEqual([true, true]);
      const to = `+1617556${String(1000 + sentTexts++)}`;
      const texting = { channel: "sms", purpose: "appointment_reminder", to, visit } as const;
      const reminded = await sendMessage(t.context(0, { laterMs: at - 2 * hour - Date.now() }), {
        key: newId(),
        tenant,
        officeId,
        request: texting,
      });
      expect(reminded.status).toBe("sent");
      const words = texts().at(-1)?.text ?? "";
      expect([words.includes(day), words.includes(time)], words).toEqual([true, true]);
      const entry = { id: "e", status: "booked", start, changedAt: start } as Parameters<typeof calendarText>[1][number];
      for (const calendar of [attachments?.[0]?.content ?? "", calendarText({ name: "Office" }, [entry])]) {
        const [, ...stamp] = /DTSTART:(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(calendar) ?? [];
        expect(new Date(Date.UTC(Number(stamp[0]), Number(stamp[1]) - 1, ...(stamp.slice(2).map(Number) as [number]))).getTime()).toBe(at);
      }
      // The agent's prompt names the time zone in which the caller hears the appointment
      const answering = { agent: { externalAgentId: "agent" }, provider: { settings: "{}" }, tenant, office } as unknown as Parameters<
        typeof answerIncoming
      >[1];
      expect(answerIncoming({ platform: "vapi" }, answering)).toMatchObject({
        assistantOverrides: { variableValues: { time_zone: timezone } },
      });
      // The spoken time parses to the same instant; in the repeated hour of a clock change, to either one
      const read = readWhen(`${day} at ${time}`, { now: new Date(at - 24 * hour), timeZone: zone });
      const understood = read.kind === "reading" ? instantIn(zone, read.dates?.[0]?.from ?? "", read.time ?? 0) : new Date(0);
      expect(plainPhrasing(timezone).time(understood.toISOString())).toBe(`${day} at ${time}`);
      expect([0, hour]).toContain(Math.abs(understood.getTime() - at));
    }),
    { numRuns: 120 },
  );
}, 60_000);

it.each([0, 1] as const)(
  "C02 a slot that is offered, booked by its spoken time, listed and texted by an office in another zone is in its time (clinic %i)",
  async (which: Which) => {
    const { id: officeId, timezone } = offices.find((office) => office.timezone === "America/Denver")!;
    const caller = await t.verified(which, 4);
    const use = (name: string, args: object) => runTool(t.context(which), { ...caller.call(name, args), officeId });
    const found = await use("scheduleAppointment", { action: "find" });
    const [slot] = outputOf(found).slots;
    const phrasing = phrasingIn("en", "reachable", new Date(), timezone);
    const wall = phrasing.time(slot!.start);
    expect(found.speech).toContain(wall);
    const [date, time] = wall.split(" at ");
    const booked = await use("scheduleAppointment", { action: "book", date, time });
    expect(booked).toMatchObject({ ok: true, speech: expect.stringContaining(phrasing.fullTime(slot!.start)) });
    const { appointment } = outputOf(booked);
    expect(Date.parse(appointment.start)).toBe(Date.parse(slot!.start));
    expect((await use("scheduleAppointment", { action: "list" })).speech).toContain(wall);
    const mailed = await use("sendEmail", { purpose: "appointment_confirmation", appointmentId: appointment.appointmentId });
    expect(mailed).toMatchObject({ ok: true });
    expect([
      mails().at(-1)?.text?.includes(plainPhrasing(timezone).day(slot!.start)),
      mails()
        .at(-1)
        ?.text?.includes(time ?? "?"),
    ]).toEqual([true, true]);
    await use("scheduleAppointment", { action: "cancel", appointmentId: appointment.appointmentId });
  },
);
