import { randomUUID } from "node:crypto";
import { keys, type IdempotencyRow } from "@vitaline/store";
import { listTasks } from "@vitaline/tasks";
import type { Communication, Patient } from "fhir/r4.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { recoverWrite, runTool } from "../index.ts";
import { sentences } from "../test/sentences.fixture.ts";
import { atOnce, startTools, type Tools } from "../test/tools.fixture.ts";

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterAll(() => t.close());
afterEach(() => t.heal());

const tool = "sendCommunicationFhir";
const messagesOf = async (which: 0 | 1, patientId: string) =>
  (await t.ehr(which)).search<Communication>("Communication", { subject: `Patient/${patientId}` }, { maxResources: 1000 });
const saying = async (patientId: string, words: string) =>
  (await messagesOf(0, patientId)).filter(({ payload = [] }) => payload.some(({ contentString = "" }) => contentString.includes(words)));

describe("sendCommunicationFhir", () => {
  it("puts a refill before staff for seven write units and one trip, with one read and one create, and promises nothing", async () => {
    const caller = await t.verified(0, 0);
    const args = { category: "refill_request", message: "I'm almost out of my tablets", medicationName: "Lisinopril 10 mg" };
    await caller.use(tool, { ...args, message: "warm" });
    const { requests } = await t.ehrRequests(() => caller.use(tool, { ...args, message: "warm by now" }));
    expect(requests).toEqual(t.declaredRequests(tool, args));
    const { answer, writes, requests: asked } = await t.cost(() => caller.use(tool, args));
    expect(answer).toEqual({
      ok: true,
      speech: "I've passed your refill request to the care team. They'll review it during office hours; it isn't approved yet.",
      output: { result: "sent", category: "refill_request", urgent: false },
    });
    expect([writes, asked]).toEqual([7, [...atOnce, "UpdateItem", "TransactWriteItems"]]);
    expect(await saying(caller.patientId, "almost out")).toMatchObject([
      {
        identifier: [{ system: "urn:vitaline:tool-request" }],
        status: "completed",
        priority: "routine",
        category: [{ coding: [{ code: "refill_request" }], text: "Refill request" }],
        subject: { reference: `Patient/${caller.patientId}` },
        payload: [
          { contentString: expect.stringMatching(/^Refill request, .+\nMedication: Lisinopril 10 mg\.\nI'm almost out of my tablets$/) },
        ],
      },
    ]);
    const audits = (await t.audits(0, caller.callKey)).filter(({ action }) => action === `tool.${tool}`);
    expect(audits.at(-1)).toMatchObject({ category: "patient_access", resourceId: caller.patientId, detail: { action: "refill_request" } });
    expect(JSON.stringify(audits)).not.toMatch(/tablets|Lisinopril/);
  });

  it("D11: is addressed to the patient's own practitioner, where the chart names one, and leaves a task for the clinic", async () => {
    const { clinics } = t.platform;
    const chart = await (await t.ehr(0)).read<Patient>("Patient", t.patients[2]!.id);
    await clinics[0].sandbox.put({ ...chart, generalPractitioner: [{ reference: "Practitioner/practitioner-1" }] } as never);
    const caller = await t.verified(0, 2);
    expect(await caller.use(tool, { category: "refill_request", message: "My own doctor's refill" })).toMatchObject({ ok: true });
    const [sent] = await saying(caller.patientId, "My own doctor's refill");
    expect(sent).toMatchObject({ recipient: [{ reference: "Practitioner/practitioner-1" }] });
    const { rows } = await listTasks(t.context(0), { limit: 200 });
    expect(rows.filter(({ callId }) => callId === caller.callKey)).toMatchObject([{ kind: "message", closedAt: null }]);
    await clinics[0].sandbox.put(chart as never);
  });

  it("never promises that a request is granted", async () => {
    const caller = await t.verified(0, 1);
    for (const category of [
      "refill_request",
      "clinical_question",
      "appointment_request",
      "billing_question",
      "callback_request",
      "OTHER",
      "",
    ]) {
      const { ok, speech } = await caller.use(tool, { category, message: `About ${category}` });
      expect([ok, speech]).toEqual([true, expect.stringMatching(/^I've passed /)]);
      expect(speech).not.toMatch(/get back|will call|will send|you will|is approved/);
    }
    expect(await caller.use(tool, { category: "poetry", message: "Hello" })).toMatchObject({ code: "invalid_arguments" });
    expect(await caller.use(tool, { category: "other" })).toMatchObject({ code: "invalid_arguments" });
  });

  it("V01: sends words of an emergency as urgent, and tells the caller to hang up and call 911 and nothing else", async () => {
    const caller = await t.verified(0, 2);
    const args = { category: "clinical_question", message: "I have chest pain since an hour" };
    const answer = await caller.use(tool, args);
    const line = { ok: true, speech: "If this is an emergency, please hang up and call 911 right now." };
    expect(answer).toEqual(line);
    expect(await saying(caller.patientId, "chest pain")).toMatchObject([{ priority: "urgent" }]);
    const { rows } = await listTasks(t.context(0), { limit: 200 });
    const tasksOf = (callKey: string) => rows.filter(({ callId }) => callId === callKey).map(({ kind }) => kind);
    expect(tasksOf(caller.callKey).toSorted()).toEqual(["emergency", "message"]);
    expect((await t.audits(0, caller.callKey)).filter(({ action }) => action === `tool.${tool}`)).toMatchObject([{ success: true }]);
    expect(await t.phone(0).use(tool, args)).toEqual(line);
    await t.fault(0, { kind: "down" });
    expect(await caller.use(tool, { ...args, message: "I can't breathe" }, { deadlineMs: 3000 })).toEqual(line);
  });

  it("V01: of a Spanish emergency says the Spanish line and sends the message as urgent; without a category it says it too", async () => {
    const caller = await t.verified(0, 1);
    const line = { ok: true, speech: "Si es una emergencia, por favor cuelgue y llame al 911 ahora mismo." };
    expect(await caller.use(tool, { message: "Tengo dolor de pecho desde ayer" })).toEqual(line);
    expect(await saying(caller.patientId, "dolor de pecho")).toMatchObject([{ priority: "urgent" }]);
    expect(await caller.use(tool, { category: "sintomas", message: "no puedo respirar" })).toEqual(line);
    expect(await saying(caller.patientId, "no puedo respirar")).toEqual([]);
  });

  it("is for verified callers, and for their own record alone", async () => {
    const message = "Please look at someone else's chart";
    expect(await t.phone(0).use(tool, { message, patientId: t.patients[0]!.id })).toMatchObject({ code: "identity_required" });
    const caller = await t.verified(1, 3);
    await caller.use(tool, { message, patientId: t.patients[0]!.id });
    expect(await messagesOf(1, caller.patientId)).toHaveLength(1);
    expect(await saying(t.patients[0]!.id, message)).toEqual([]);
    expect(await saying(caller.patientId, message)).toEqual([]);
  });

  it("gives a repeated request its first answer and sends nothing again", async () => {
    const caller = await t.verified(0, 3);
    const toolCallId = randomUUID();
    const args = { message: "Once and no more" };
    const first = await caller.use(tool, args, { toolCallId });
    const { answer, writes } = await t.cost(() => caller.use(tool, args, { toolCallId }));
    expect([answer, writes]).toEqual([first, 0]);
    expect(await saying(caller.patientId, "Once and no more")).toHaveLength(1);
  });

  it("puts ten messages of a call before staff and no more, and says so in one sentence; what failed takes no place, another call has its own", async () => {
    const caller = await t.verified(0, 5);
    const { id } = t.patients[5]!;
    const before = (await messagesOf(0, id)).length;
    await t.fault(0, { kind: "down" });
    expect(await caller.use(tool, { message: "Matter 0" }, { deadlineMs: 3000 })).toMatchObject({ code: "ehr_unavailable" });
    await t.heal();
    for (let count = 0; count < 10; count++) expect((await caller.use(tool, { message: `Matter ${count}` })).ok, String(count)).toBe(true);
    expect(await caller.use(tool, { message: "Matter 10" })).toEqual({
      ok: false,
      code: "too_many_requests",
      speech: "I've passed on as many messages as I can in one call. I can connect you with the office.",
      output: { result: "limit", category: "other", urgent: false },
    });
    expect((await messagesOf(0, id)).length - before).toBe(10);
    expect(await (await t.verified(0, 5)).use(tool, { message: "Matter 10" })).toMatchObject({ ok: true });
  });

  it("says of a record system without messages that it cannot, before anything is sent", async () => {
    const caller = await t.verified(0, 4);
    const { answer, requests } = await t.ehrRequests(() => caller.use(tool, { message: "Hello" }, { without: ["Communication"] }));
    expect(answer).toEqual({ ok: false, code: "ehr_unsupported", speech: sentences.ehr_unsupported });
    expect(requests).toEqual([]);
  });
});

describe("a message whose answer is lost", () => {
  const lost = async (index: number, message: string) => {
    const caller = await t.verified(0, index);
    const args = { category: "callback_request", message };
    const call = caller.call(tool, args);
    const ctx = t.context(0, { deadlineMs: 2500 });
    const answer = await runTool(
      {
        ...ctx,
        openEhr: async (tenant, options) => {
          const ehr = await ctx.openEhr(tenant, options);
          return { ...ehr, create: async (...sent) => (await t.fault(0, { kind: "hang" }), ehr.create(...sent)) };
        },
      },
      call,
    );
    await t.heal();
    expect(answer).toMatchObject({ ok: false, code: "ehr_unknown_outcome" });
    return { caller, call, requestKey: await t.requestKey(0, call) };
  };

  it("is found when the request comes again, and not sent twice", async () => {
    const { caller, call, requestKey } = await lost(5, "Lost and found");
    const kept = await t.context(0).store.get<IdempotencyRow>(keys.idempotency(requestKey));
    expect(JSON.stringify(kept)).not.toContain("Lost and found");
    expect(await runTool(t.context(0), call)).toMatchObject({ ok: true, output: { category: "callback_request" } });
    expect(await saying(caller.patientId, "Lost and found")).toHaveLength(1);
  });

  it("is found among more messages than a page holds, at a server without conditional creates and a search by identifier", async () => {
    const caller = await t.verified(0, 3);
    const { sandbox } = t.platform.clinics[0];
    for (let other = 0; other < 130; other++)
      await sandbox.put({
        ...{ resourceType: "Communication", id: `other-${other}`, status: "completed", sent: new Date().toISOString() },
        ...{ subject: { reference: `Patient/${caller.patientId}` }, payload: [{ contentString: "Another message" }] },
      } as never);
    const ctx = t.context(0);
    const simpler: typeof ctx = {
      ...ctx,
      openEhr: async (tenant, options) => {
        const ehr = await ctx.openEhr(tenant, options);
        const capability: typeof ehr.capability = async (how) => ({ ...(await ehr.capability(how)), searchParams: () => ["subject"] });
        const create: typeof ehr.create = (resource, how) => ehr.create(resource, { ...how, ifNoneExist: undefined } as typeof how);
        return { ...ehr, capability, create };
      },
    };
    const call = caller.call(tool, { category: "callback_request", message: "Lost among many" });
    await t.fault(0, { kind: "lost-write", times: 1 });
    await runTool(simpler, call);
    await t.heal();
    expect(await runTool(simpler, call)).toMatchObject({ ok: true, output: { category: "callback_request" } });
    expect(await saying(caller.patientId, "among many")).toHaveLength(1);
  });

  it("is settled by the retry job", async () => {
    const { call, requestKey } = await lost(4, "Lost and retried");
    expect(await recoverWrite(t.context(0), requestKey)).toBe("done");
    const { answer, requests } = await t.ehrRequests(() => runTool(t.context(0), call));
    expect([answer, requests]).toMatchObject([{ ok: true }, []]);
  });
});
