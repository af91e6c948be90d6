import { randomUUID } from "node:crypto";
import { newId } from "@vitaline/core";
import { listLeads, readLead } from "@vitaline/leads";
import { create, keys, remove, update, type OfficeRow, type TenantRow } from "@vitaline/store";
import { listTasks } from "@vitaline/tasks";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runTool, type ToolAnswer } from "../index.ts";
import { startTools, type Tools } from "../test/tools.fixture.ts";

let t: Tools;
const office = newId();
const tool = "logRoutingEvent";
const day = { start: "08:00", end: "18:00" };
const always = { start: "00:00", end: "23:59", timezone: "UTC" };
const never = {
  ...day,
  timezone: "UTC",
  days: { monday: null, tuesday: null, wednesday: null, thursday: null, friday: null, saturday: null, sunday: null },
};
const configured = { category: "configuration_change", action: "office.create", resourceType: "Office" } as const;
const added: { which: 0 | 1; id: string }[] = [];
const addOffice = (which: 0 | 1, row: Partial<OfficeRow> & { id: string }) => {
  added.push({ which, id: row.id });
  return t
    .context(which)
    .store.commit(
      [create(keys.office(row.id), { name: `Office ${row.id}`, isActive: true, createdAt: new Date().toISOString(), ...row })],
      configured,
    );
};
afterEach(async () => {
  for (const { which, id } of added.splice(0))
    if (id !== office) await t.context(which).store.commit([remove(keys.office(id))], configured);
});

beforeAll(async () => {
  t = await startTools();
  await addOffice(0, {
    id: office,
    businessHours: always,
    staffRouting: [
      { label: "Billing desk", phone: "+16175550111", reasons: ["Billing"] },
      { label: "Refill line", phone: "+16175550112", reasons: ["refills"], hours: never },
      { label: "Front desk", phone: "+16175550113", reasons: [] },
    ],
  });
}, 60_000);
afterAll(() => t.close());

const ask = (args: object, { which = 0, officeId = office }: { which?: 0 | 1; officeId?: string | null } = {}) => {
  const phone = t.phone(which);
  const call = { ...phone.call(tool, args, randomUUID()), officeId: officeId ?? undefined };
  return { call, callKey: phone.callKey, send: () => runTool(t.context(which), call) };
};
const output = ({ output: found }: ToolAnswer) => found as { destinations: { label: string }[]; opensAt: unknown; outcome: string };
const labels = (answer: ToolAnswer) => output(answer).destinations.map(({ label }) => label);

describe("logRoutingEvent", () => {
  it("names who is on duty for the reason, asks no record system, and costs four write units", async () => {
    const { send, callKey } = ask({ reason: "a question about my billing statement" });
    const { answer: ran, requests: asked } = await t.ehrRequests(() => t.cost(send));
    expect(ran.answer).toMatchObject({
      ok: true,
      speech: "One moment, I'm connecting you with the billing desk.",
      output: { reason: "billing", outcome: "transferred", noted: false, opensAt: null },
    });
    expect(output(ran.answer).destinations).toEqual([
      { label: "Billing desk", phone: "+16175550111" },
      { label: "Front desk", phone: "+16175550113" },
    ]);
    expect([ran.writes, ran.requests, asked]).toEqual([4, ["BatchGetItem", "GetItem", "TransactWriteItems"], []]);
    expect(await t.audits(0, callKey)).toMatchObject([
      { category: "api_call", detail: { tool, action: "route", reason: "billing", outcome: "transferred", officeId: office } },
    ]);
  });

  it("knows a reason by other words, leaves out who is off duty, and puts the desk first that was asked for", async () => {
    expect(labels(await ask({ reason: "an invoice" }).send())).toEqual(["Billing desk", "Front desk"]);
    expect(labels(await ask({ reason: "my prescription" }).send())).toEqual(["Front desk"]);
    expect(labels(await ask({ reason: "billing", destination: "the front desk" }).send())).toEqual(["Front desk", "Billing desk"]);
    expect(labels(await ask({ reason: "billing", outcome: "resolved" }).send())).toEqual([]);
  });

  it("finds the office of a tenant that has but one", async () => {
    expect(labels(await ask({ reason: "billing" }, { officeId: null }).send())).toEqual(["Billing desk", "Front desk"]);
  });

  it("puts a call of no office through to the clinic's own number, while the clinic is open by its own hours", async () => {
    const ids = [newId(), newId()];
    for (const id of ids) await addOffice(1, { id, businessHours: always, staffRouting: [] });
    const setHours = (businessHours: object) =>
      t.context(1).store.commit(
        [
          update<TenantRow>(keys.tenantConfig(), {
            set: { contactPhone: "+16175550115", contactPreferences: { businessHours } as never },
          }),
        ],
        configured,
      );
    const send = () => ask({ reason: "billing" }, { which: 1, officeId: null }).send();
    await setHours(always);
    expect(await send()).toMatchObject({
      speech: "One moment, I'm connecting you with the clinic.",
      output: { outcome: "transferred", destinations: [{ label: "the clinic", phone: "+16175550115" }], opensAt: null },
    });
    expect(labels(await ask({ reason: "billing", outcome: "resolved" }, { which: 1, officeId: null }).send())).toEqual([]);
    await t.context(1).store.commit([remove(keys.office(ids[1]!))], configured);
    expect(labels(await send())).toEqual(["the clinic"]);
    await setHours(never);
    expect(await send()).toMatchObject({ output: { outcome: "callback", destinations: [] } });
  });

  it("offers a callback with the next opening when no one is on duty, and counts that", async () => {
    const closed = newId();
    const tomorrow = new Date(Date.now() + 86_400_000);
    const weekday = tomorrow.toLocaleDateString("en-US", { weekday: "long", timeZone: "UTC" }).toLowerCase();
    const businessHours = { ...never, days: { ...never.days, [weekday]: { start: "09:30", end: "17:00" } } };
    const staffRouting = [{ label: "Anybody", phone: "+16175550114", reasons: [] }];
    await addOffice(0, { id: closed, businessHours, staffRouting });
    const { send, callKey } = ask({ reason: "I want to talk to a person" }, { officeId: closed });
    const answer = await send();
    expect(answer).toMatchObject({ ok: true, output: { reason: "person", outcome: "callback", destinations: [] } });
    expect(output(answer).opensAt).toEqual({ at: `${tomorrow.toISOString().slice(0, 10)}T09:30:00.000Z`, timeZone: "UTC" });
    expect(answer.speech).toMatch(
      /^I can't put you through right now, because the office is closed\. It opens again (?:tomorrow|on \w+day, .+) at 9:30 AM\. May I have your name and number/,
    );
    expect(await t.audits(0, callKey)).toMatchObject([{ detail: { outcome: "callback" } }]);
  });

  it("V01: sends an emergency to 911, by its words or by its outcome, asks and offers nothing, and counts it as an emergency", async () => {
    const closed = newId();
    await addOffice(0, { id: closed, businessHours: never, staffRouting: [] });
    for (const args of [{ reason: "chest pain" }, { reason: "something bad", outcome: "emergency" }]) {
      const { send, callKey } = ask(args, { officeId: closed });
      expect(await send()).toEqual({ ok: true, speech: "If this is an emergency, please hang up and call 911 right now." });
      const audits = await t.audits(0, callKey);
      expect(audits.filter(({ action }) => action === `tool.${tool}`)).toMatchObject([{ success: true, detail: { outcome: "emergency" } }]);
      const { rows } = await listTasks(t.context(0), { limit: 200 });
      expect(rows.filter(({ callId }) => callId === callKey)).toMatchObject([{ kind: "emergency", officeId: closed }]);
    }
  });

  it("V01: keeps the name and number of a caller in an emergency, and says nothing of it", async () => {
    const { send, callKey } = ask({ reason: "my husband passed out", callerName: "Nora", callbackNumber: "617 555 0179" });
    expect(await send()).toEqual({ ok: true, speech: "If this is an emergency, please hang up and call 911 right now." });
    expect((await listLeads(t.context(0), { limit: 100 })).rows.filter(({ callId }) => callId === callKey)).toHaveLength(1);
  });

  it("keeps who wants to be found again, sealed, once, for six write units, and shows them to their own clinic alone", async () => {
    const args = {
      reason: "would like to become a patient",
      outcome: "callback",
      callerName: "nora newcome",
      callbackNumber: "617 555 0177",
      email: "nora at example dot com",
      note: "Best in the mornings",
    };
    const { send, callKey } = ask(args);
    const { answer, writes, requests } = await t.cost(send);
    expect(answer).toMatchObject({ ok: true, output: { reason: "new_patient", outcome: "callback", noted: true } });
    expect(answer.speech).toMatch(/^Thank you, I've noted your name/);
    expect([writes, requests]).toEqual([6, ["BatchGetItem", "GetItem", "UpdateItem", "UpdateItem", "TransactWriteItems"]]);
    const again = await send();
    expect(again).toEqual(answer);
    const ours = (await listLeads(t.context(0), {})).rows.filter(({ callId }) => callId === callKey);
    expect(ours).toMatchObject([{ reason: "new_patient", officeId: office, handledAt: null }]);
    expect(await readLead(t.context(0), ours[0]!.id)).toMatchObject({
      contact: { name: "Nora Newcome", phone: "617 555 0177", email: "nora@example.com", note: "Best in the mornings" },
    });
    expect((await listLeads(t.context(1), {})).rows).toEqual([]);
    const audits = await t.audits(0, callKey);
    expect(audits.filter(({ action }) => action === `tool.${tool}`)).toMatchObject([
      { category: "patient_access", detail: { reason: "new_patient", outcome: "callback", leadId: ours[0]!.id } },
    ]);
    expect(JSON.stringify(audits)).not.toMatch(/nora|newcome|0177|mornings/i);
  });

  it("keeps one lead of a request that is delivered twice at once", async () => {
    const args = { reason: "billing", outcome: "callback", callerName: "Twice", callbackNumber: "617 555 0178", leadReason: "billing" };
    const { send, callKey } = ask(args);
    const [one, two] = await Promise.all([send(), send()]);
    expect([one.ok, two]).toEqual([true, one]);
    expect((await listLeads(t.context(0), { limit: 100 })).rows.filter(({ callId }) => callId === callKey)).toHaveLength(1);
    expect((await t.audits(0, callKey)).filter(({ action }) => action === `tool.${tool}`)).toHaveLength(1);
  });

  it("keeps at most three leads per call and says so in one sentence; transfers still go through", async () => {
    const phone = t.phone(0);
    const send = (args: object) => {
      const call = { ...phone.call(tool, { callerName: "Nora", callbackNumber: "617 555 0178", ...args }), officeId: office };
      return runTool(t.context(0), call);
    };
    const answers = [];
    for (let index = 0; index < 25; index++) answers.push(await send({ reason: "billing", outcome: "callback", note: `Matter ${index}` }));
    expect(answers.map(({ ok }) => ok)).toEqual(answers.map((_, index) => index < 3));
    const { answer, writes } = await t.cost(() => send({ reason: "billing", outcome: "callback", note: "One more" }));
    expect([answer, writes]).toMatchObject([
      {
        code: "too_many_requests",
        speech: "The office has what you've told me already, and that is as much as I can note in one call.",
        output: { noted: false },
      },
      5,
    ]);
    expect((await listLeads(t.context(0), {})).rows.filter(({ callId }) => callId === phone.callKey)).toHaveLength(3);
    const through = await send({ reason: "billing", outcome: "transferred" });
    expect([through.ok, labels(through)]).toEqual([true, expect.arrayContaining(["Billing desk"])]);
  });

  it("S05: keeps six leads of one caller in an hour, over however many calls, and one of the next caller", async () => {
    const args = { callerName: "Nora", callbackNumber: "617 555 0178", reason: "billing", outcome: "callback" };
    const send = (number: string) => t.phone(0, number).use(tool, args);
    for (let count = 0; count < 6; count++) expect(await send("+16175550610")).toMatchObject({ ok: true, output: { noted: true } });
    expect(await send("+16175550610")).toEqual({
      ok: false,
      code: "too_many_requests",
      speech: "I can't take down any more messages from this line at the moment. Please call the office directly.",
      output: expect.objectContaining({ noted: false, full: "hour" }),
    });
    expect(await send("+16175550611")).toMatchObject({ ok: true, output: { noted: true } });
  });

  it("V04: names each destination's number as it is dialed, however the office wrote it", async () => {
    const written = newId();
    const phones = ["(617) 555-0116", "617.555.0117", "+44 20 7946 0118", "ext. 4711"];
    await addOffice(0, {
      id: written,
      businessHours: always,
      staffRouting: phones.map((phone, index) => ({ label: `Desk ${index}`, phone, reasons: [] })),
    });
    const { destinations } = output(await ask({ reason: "wants a person" }, { officeId: written }).send());
    expect(destinations.map((one) => (one as { phone?: string }).phone)).toEqual(["+16175550116", "+16175550117", "+442079460118", "4711"]);
  });

  it("V04: with no one on duty a callback is promised only with the lead that staff find", async () => {
    const closed = newId();
    await addOffice(0, { id: closed, businessHours: never, staffRouting: [{ label: "Desk", phone: "+16175550114", reasons: [] }] });
    const leadsOf = async (callKey: string) => (await listLeads(t.context(0), {})).rows.filter(({ callId }) => callId === callKey);
    const without = ask({ reason: "wants a person" }, { officeId: closed });
    expect((await without.send()).speech).toMatch(/May I have your name and number/);
    expect(await leadsOf(without.callKey)).toEqual([]);
    const withNumber = { reason: "wants a person", callerName: "Nora Newcome", callbackNumber: "617 555 0177" };
    const noted = ask(withNumber, { officeId: closed });
    expect(await noted.send()).toMatchObject({
      speech: expect.stringMatching(/^Thank you, I've noted your name/) as string,
      output: { outcome: "callback", noted: true, destinations: [] },
    });
    expect(await leadsOf(noted.callKey)).toHaveLength(1);
  });

  it("counts a repeated request once", async () => {
    const { send, callKey } = ask({ reason: "billing", outcome: "voicemail" });
    const first = await send();
    const { answer, writes } = await t.cost(send);
    expect([answer, writes]).toEqual([first, 0]);
    expect(await t.audits(0, callKey)).toHaveLength(1);
  });

  it("asks for the name or the number that a callback lacks", async () => {
    const asked = async (args: object) => (await ask({ reason: "billing", outcome: "callback", ...args }).send()).speech;
    expect(await asked({ callbackNumber: "617 555 0100" })).toBe("May I have your name, please?");
    expect(await asked({ callerName: "Jo" })).toBe("What's the best number to call you back, with the area code?");
    expect(await asked({ callerName: "Jo", callbackNumber: "12" })).toMatch(/best number to call you back/);
    expect((await ask({}).send()).speech).toBe("What is your call about?");
  });

  it("works for a clinic without any record system, and never names another clinic's staff", async () => {
    await t.context(1).store.commit([update<TenantRow>(keys.tenantConfig(), { remove: ["fhirProviderId"] })], configured);
    const answer = await ask({ reason: "billing" }, { which: 1, officeId: office }).send();
    expect(answer).toMatchObject({ ok: true, output: { outcome: "callback", destinations: [] } });
  });
});
