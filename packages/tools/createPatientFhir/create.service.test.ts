import { randomUUID } from "node:crypto";
import { AppError, type ErrorCode } from "@vitaline/core";
import { listLeads, readLead } from "@vitaline/leads";
import { keys, type CountRow, type IdempotencyRow, update } from "@vitaline/store";
import type { Patient } from "fhir/r4.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { recoverWrite, runTool, loadTools } from "../index.ts";
import { scopedHash } from "../sdk/keyed-hash.ts";
import { sentences } from "../test/sentences.fixture.ts";
import { atOnce, startTools, type Tools } from "../test/tools.fixture.ts";
import { sampleCreateTimeMs, recordCreateTime } from "./find-or-create.ts";

const tools = await loadTools();

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterAll(() => t.close());
afterEach(() => t.heal());

const tool = "createPatientFhir";
let count = 0;
const stranger = () => ({
  firstName: "Zuleika",
  lastName: `Newcome${[...String(count++)].map((digit) => "abcdefghij"[Number(digit)]).join("")}`,
  dateOfBirth: "the fourth of March nineteen eighty-five",
  phoneNumber: "six one seven, 555, oh one nine nine",
  address: "12 main street, Springfield, Illinois 62704",
  gender: "female",
});
type Said = ReturnType<typeof stranger>;
const chartsOf = async (which: 0 | 1, { lastName }: Pick<Said, "lastName">) =>
  (await t.ehr(which)).search<Patient>("Patient", { family: lastName, birthdate: "1985-03-04" });
const runsOf = async (callKey: string) => (await t.audits(0, callKey)).filter(({ action }) => action === `tool.${tool}`);
const received = { ok: true, output: { result: "received" } };

describe("createPatientFhir", () => {
  it("puts a new patient into the record system for eight write units and one trip, with a search and a create, and binds nothing", async () => {
    const phone = t.phone(0);
    const said = stranger();
    await t.phone(0).use(tool, stranger());
    const { requests } = await t.ehrRequests(() => t.phone(0).use(tool, stranger()));
    expect(requests).toEqual(t.declaredRequests(tool, said));
    const { answer, writes, requests: asked } = await t.cost(() => phone.use(tool, said));
    expect(answer).toMatchObject({ ...received, speech: expect.stringMatching(/^Thank you, the clinic has your details now/) });
    // The counts, the call quota, the person lock, the audit row with the task, and settling.
    expect([writes, asked]).toEqual([8, [...atOnce, "UpdateItem", "UpdateItem", "PutItem", "TransactWriteItems", "UpdateItem"]]);
    expect(await chartsOf(0, said)).toMatchObject([
      {
        active: true,
        identifier: [{ system: "urn:vitaline:tool-request" }],
        name: [{ use: "official", family: said.lastName, given: ["Zuleika"] }],
        birthDate: "1985-03-04",
        gender: "female",
        telecom: [{ system: "phone", value: "+16175550199" }],
        address: [{ use: "home", line: ["12 Main Street"], city: "Springfield", state: "IL", postalCode: "62704" }],
      },
    ]);
    expect(await chartsOf(1, said)).toEqual([]);
    expect((await phone.state())?.patientId).toBeUndefined();
    expect(await phone.use("getPatientInfo")).toMatchObject({ code: "identity_required" });
    const audit = await runsOf(phone.callKey);
    expect(audit).toMatchObject([{ category: "patient_access", success: true, detail: { action: "create" } }]);
    expect(JSON.stringify(audit)).not.toMatch(/Newcome|5550199|1985/);
  });

  it("cannot be used for verification until staff remove our identifier, so a registration does not reveal who is a patient", async () => {
    const { address: _address, gender: _gender, ...unknown } = stranger();
    const { given, family, birthDate } = t.patients[0]!;
    const known = { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber: unknown.phoneNumber };
    const tried = await Promise.all(
      [unknown, known].map(async (said) => {
        const phone = t.phone(0);
        const registered = await phone.use(tool, said);
        const verified = await phone.use("verifyPatientIdentity", said);
        return [registered, verified, (await phone.state())?.patientId];
      }),
    );
    expect(tried[0]).toEqual(tried[1]);
    expect(tried[0]).toMatchObject([
      received,
      { ok: false, code: "identity_not_verified", output: { verified: false, level: 0 } },
      undefined,
    ]);

    const ehr = await t.ehr(0);
    const [chart] = await chartsOf(0, unknown);
    await ehr.update<Patient>({ ...chart!, identifier: [{ system: "https://clinic.example/mrn", value: "N-1" }] });
    expect(await t.phone(0).use("verifyPatientIdentity", unknown)).toMatchObject({ ok: true, output: { verified: true, level: 1 } });
  });

  it("says that the office will be in touch, and neither to the caller nor to the model that they could be verified now", async () => {
    expect((await t.phone(0).use(tool, stranger())).speech).toBe(
      "Thank you, the clinic has your details now, and the office will be in touch to complete the registration. What else can I do for you?",
    );
    expect(tools[tool]?.description).toMatch(/do not call verifyPatientIdentity for it/);
  });

  it("gives an existing patient the same answer, creates no second chart and changes none", async () => {
    const { given, family, birthDate, id } = t.patients[0]!;
    const before = await (await t.ehr(0)).read<Patient>("Patient", id);
    const known = {
      firstName: given.toUpperCase(),
      lastName: ` ${family.toLowerCase()}`,
      dateOfBirth: birthDate,
      phoneNumber: "617 555 0142",
    };
    const phone = t.phone(0);
    const { answer, writes } = await t.cost(() => phone.use(tool, known));
    expect(answer).toEqual(await t.phone(0).use(tool, stranger()));
    expect(writes).toBe(7);
    expect(await (await t.ehr(0)).read<Patient>("Patient", id)).toEqual(before);
    expect((await (await t.ehr(0)).search<Patient>("Patient", { family, given, birthdate: birthDate })).map((one) => one.id)).toEqual([id]);
    expect((await phone.state())?.patientId).toBeUndefined();
    expect(JSON.stringify(answer)).not.toContain(id);
  });

  it("registers one new patient per call, and another in the next call", async () => {
    const phone = t.phone(0);
    const second = stranger();
    await phone.use(tool, stranger());
    expect(await phone.use(tool, second)).toMatchObject({ ok: false, code: "not_doable", output: { result: "once" } });
    expect(await chartsOf(0, second)).toEqual([]);
    expect(await t.phone(0).use(tool, second)).toMatchObject(received);
  });

  it("asks for missing or unreadable fields and sends nothing", async () => {
    const phone = t.phone(0);
    const said = stranger();
    for (const [wrong, speech] of [
      [{ phoneNumber: "" }, "What's the best phone number or email to reach you?"],
      [{ phoneNumber: "555 0100" }, "What's the best phone number or email to reach you?"],
      [{ dateOfBirth: "03/04/1985" }, "What's your date of birth, with the year?"],
      [{ dateOfBirth: "March 4th, 1785" }, "What's your date of birth, with the year?"],
      [{ lastName: "..." }, "And your last name, please?"],
    ] as const)
      expect(await phone.use(tool, { ...said, ...wrong })).toMatchObject({ ok: false, code: "invalid_arguments", speech });
    expect(await chartsOf(0, said)).toEqual([]);
    expect(await phone.use(tool, { ...said, phoneNumber: null, email: "zuleika at example dot com" })).toMatchObject(received);
    expect(await chartsOf(0, said)).toMatchObject([{ telecom: [{ system: "email", value: "zuleika@example.com" }] }]);
  });

  it("gives a repeated request its first answer and nothing else", async () => {
    const phone = t.phone(0);
    const said = stranger();
    const toolCallId = randomUUID();
    const first = await phone.use(tool, said, { toolCallId });
    const { answer, writes } = await t.cost(() => phone.use(tool, said, { toolCallId }));
    expect([answer, writes]).toEqual([first, 0]);
    const copy = { ...t.phone(0).call(tool, stranger()) };
    const [one, two] = await Promise.all([runTool(t.context(0), copy), runTool(t.context(0), copy)]);
    expect(two).toEqual(one);
    expect(await chartsOf(0, copy.args as Said)).toHaveLength(1);
  });

  it("offers a callback where the record system takes no new patients, and sends nothing", async () => {
    const said = stranger();
    const { answer, requests } = await t.ehrRequests(() => t.phone(0).use(tool, said, { without: ["Patient"] }));
    expect(answer).toMatchObject({ ok: false, code: "ehr_unsupported", speech: expect.stringMatching(/call you back/) });
    expect(requests).toEqual([]);
  });

  it("says so when the record system is off, and lets the caller try again in the same call", async () => {
    const phone = t.phone(0);
    const said = stranger();
    await t.fault(0, { kind: "down" });
    expect(await phone.use(tool, said, { deadlineMs: 3000 })).toEqual({
      ok: false,
      code: "ehr_unavailable",
      speech: sentences.ehr_unavailable,
    });
    await t.heal();
    expect(await phone.use(tool, said)).toMatchObject(received);
    expect(await chartsOf(0, said)).toHaveLength(1);
  });
});

describe("a registration with an unknown outcome", () => {
  /** A request whose create reaches the EHR but whose answer is lost. */
  const lost = async (said: Said) => {
    const phone = t.phone(0);
    const call = phone.call(tool, said);
    const ctx = t.context(0, { deadlineMs: 2500 });
    const answer = await runTool(
      {
        ...ctx,
        openEhr: async (tenant, options) => {
          const ehr = await ctx.openEhr(tenant, options);
          return {
            ...ehr,
            create: async (resource, options) => {
              await t.fault(0, { kind: "hang" });
              return ehr.create(resource, options);
            },
          };
        },
      },
      call,
    );
    await t.heal();
    return { phone, call, answer, requestKey: await t.requestKey(0, call) };
  };

  it("is searched for when the request comes again: found, answered, and not made twice", async () => {
    const said = stranger();
    const { call, answer } = await lost(said);
    expect(answer).toMatchObject({ ok: false, code: "ehr_unknown_outcome" });
    expect(await runTool(t.context(0), call)).toMatchObject(received);
    expect(await chartsOf(0, said)).toHaveLength(1);
  });

  it("is found by the retry job by our mark alone, and then is the answer", async () => {
    const said = stranger();
    const { call, requestKey } = await lost(said);
    const kept = await t.context(0).store.get<IdempotencyRow>(keys.idempotency(requestKey));
    expect(JSON.stringify(kept)).not.toMatch(/Newcome|Zuleika/);
    expect(await recoverWrite(t.context(0), requestKey)).toBe("done");
    const { answer, requests } = await t.ehrRequests(() => runTool(t.context(0), call));
    expect([answer, requests]).toMatchObject([received, []]);
    expect(await chartsOf(0, said)).toHaveLength(1);
  });
});

describe("who is a patient already", () => {
  const refused = async (code: ErrorCode, said: Omit<Said, "address" | "gender">) => {
    const phone = t.phone(0);
    const call = phone.call(tool, said);
    const ctx = t.context(0);
    const refusing: typeof ctx = {
      ...ctx,
      openEhr: async (tenant, options) => ({
        ...(await ctx.openEhr(tenant, options)),
        create: () => Promise.reject(new AppError(code, "injected")),
      }),
    };
    const { answer, writes } = await t.cost(() => runTool(refusing, call));
    expect(await runTool(t.context(0), call)).toEqual(answer);
    return { answer, writes, leads: (await listLeads(t.context(0), {})).rows.filter(({ callId }) => callId === phone.callKey) };
  };
  const known = () => {
    const { given, family, birthDate, phone } = t.patients[1]!;
    return { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber: phone };
  };

  it("is told in no words where the record system refuses new charts: the answers are the same, and staff have who is new in their list", async () => {
    for (const code of ["ehr_invalid", "ehr_unsupported", "ehr_forbidden", "ehr_not_found", "ehr_unavailable"] as const) {
      const said = stranger();
      const [ofNew, ofKnown] = [await refused(code, said), await refused(code, known())];
      expect(ofNew.answer, code).toEqual(ofKnown.answer);
      expect(ofNew.answer, code).toMatchObject(received);
      expect([ofNew.writes, ofKnown.writes, ofKnown.leads]).toEqual([8, 7, []]);
      expect(ofNew.leads, code).toMatchObject([{ reason: "new_patient", handledAt: null }]);
      expect(await readLead(t.context(0), ofNew.leads[0]!.id)).toMatchObject({
        contact: { name: `Zuleika ${said.lastName}`, phone: "+16175550199", note: "Wants to be registered; born on 1985-03-04." },
      });
      expect(await chartsOf(0, said)).toEqual([]);
    }
  });

  it("is told by no time as far as this process knows how long creates take at an EHR: waited is as long as one of the last took", () => {
    const within = (ehr: string, low: number, high: number) => {
      for (let round = 0; round < 50; round++) {
        expect(sampleCreateTimeMs(ehr)).toBeGreaterThanOrEqual(low);
        expect(sampleCreateTimeMs(ehr)).toBeLessThanOrEqual(high);
      }
    };
    within("new", 450, 550);
    for (let round = 0; round < 20; round++) recordCreateTime("slow", 2000);
    within("slow", 1800, 2200);
    for (let round = 0; round < 20; round++) recordCreateTime("slow", 100);
    within("slow", 90, 110);
    within("other", 450, 550);
  });

  it("gets no second chart by a name that is written otherwise, and can be verified as before", async () => {
    const { given, family, birthDate, phone: phoneNumber, zip, id } = t.patients[2]!;
    for (const firstName of [`${given}-Lee`, `${given} Q.`, `${given}.`, given.toUpperCase()])
      expect(
        await t.phone(0).use(tool, { firstName, lastName: family, dateOfBirth: birthDate, phoneNumber, address: `1 Main Street ${zip}` }),
      ).toMatchObject(received);
    const charts = await (await t.ehr(0)).search<Patient>("Patient", { family, birthdate: birthDate });
    expect(charts.map((chart) => chart.id)).toEqual([id]);
    expect(await t.phone(0).use("verifyPatientIdentity", t.claimOf(2))).toMatchObject({ ok: true });
  });

  it("is verified also when a chart with the same details was made by phone, and never as that chart", async () => {
    const ehr = await t.ehr(0);
    const chart = await ehr.read<Patient>("Patient", t.patients[3]!.id);
    const twin = { ...chart, id: undefined, identifier: [{ system: "urn:vitaline:tool-request", value: "f".repeat(40) }] };
    for (let count = 0; count < 3; count++) await ehr.create<Patient>(twin);
    const phone = t.phone(0);
    expect(await phone.use("verifyPatientIdentity", t.claimOf(3))).toMatchObject({ ok: true });
    expect((await phone.state())?.patientId).toBe(t.patients[3]!.id);
  });
});

describe("registrations without end", () => {
  it("make one chart of one person, however many calls register them at once, and another chart for another tenant", async () => {
    const said = stranger();
    const everywhere = ([0, 0, 0, 0, 0, 0, 1] as const).map((which) => t.phone(which).use(tool, said));
    for (const answer of await Promise.all(everywhere)) expect(answer).toMatchObject(received);
    expect([await chartsOf(0, said), await chartsOf(1, said)]).toMatchObject([[{ active: true }], [{ active: true }]]);
  });

  it("end after five of one caller in an hour, who is told so in one sentence, before anything is looked for", async () => {
    const caller = "+16175550600";
    for (let count = 0; count < 5; count++) expect(await t.phone(0, caller).use(tool, stranger())).toMatchObject(received);
    const said = stranger();
    const { answer, requests } = await t.ehrRequests(() => t.phone(0, caller).use(tool, said));
    expect([answer, requests]).toEqual([
      {
        ok: false,
        code: "too_many_requests",
        speech: "I can't take down any more new patients at the moment. I can connect you with the office.",
        output: { result: "limit" },
      },
      [],
    ]);
    expect(await t.phone(0, "+16175550601").use(tool, said)).toMatchObject(received);
    expect(await t.phone(0, caller).use(tool, stranger(), { laterMs: 3_600_000 })).toMatchObject(received);
  });

  it("end after a hundred of one key in an hour, and after forty of those who withhold their number, who so leave some to others", async () => {
    const { given, family, birthDate, phone: phoneNumber } = t.patients[0]!;
    const said = { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber };
    const moment = { laterMs: 7_200_000 };
    const send = async (count: number, callerOf: (index: number) => string) => {
      const codes: (string | undefined)[] = [];
      while (codes.length < count) {
        const some = Array.from({ length: 5 }, (_, index) => t.phone(1, callerOf(codes.length + index)).use(tool, said, moment));
        codes.push(...(await Promise.all(some)).map(({ code }) => code));
      }
      expect(codes.toSorted().filter((code) => code !== undefined && code !== "too_many_requests")).toEqual([]);
      return codes.filter((code) => code === "too_many_requests").length;
    };
    const { store, tenantId, actor, clock } = t.context(1, moment);
    const hour = String(Math.floor(clock().getTime() / 3_600_000));
    const counted = keys.counter("registrations", scopedHash("caller-limits", tenantId, ["registrations", actor.id]), hour);
    const withheld = (index: number) => ["anonymous", "+266696687"][index % 2]!;
    expect(await send(5, withheld)).toBe(0);
    expect(await store.get(counted)).toMatchObject({ count: 5, withheld: 5 });
    await store.writeUnaudited(update<CountRow>(counted, { add: { count: 30, withheld: 30 } }));
    expect(await send(10, withheld)).toBe(5);
    expect(await send(5, (index) => `+1212555${1000 + index}`)).toBe(0);
    expect(await store.get(counted)).toMatchObject({ count: 45, withheld: 40 });
    await store.writeUnaudited(update<CountRow>(counted, { add: { count: 50 } }));
    expect(await send(10, (index) => `+1212555${2000 + index}`)).toBe(5);
    expect(await t.phone(0).use(tool, said, moment)).toMatchObject(received);
  });
});
