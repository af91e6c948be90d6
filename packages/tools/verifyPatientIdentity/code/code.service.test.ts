import { randomUUID } from "node:crypto";
import { holdSecret, secretValues } from "@vitaline/core";
import { keys, put, type CallCodeRow, type CountRow, type TenantRow, update } from "@vitaline/store";
import type { Patient } from "fhir/r4.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { recordContactChange } from "../../patient/contact-changes.ts";
import { runTool } from "../../index.ts";
import { scopedHash } from "../../sdk/keyed-hash.ts";
import { sentences } from "../../test/sentences.fixture.ts";
import { startTools, type Tools, type Which } from "../../test/tools.fixture.ts";

let t: Tools;
beforeAll(async () => {
  process.env["SMS_ORIGINATION"] = "+18335550100";
  process.env["MAIL_FROM"] ??= "Clinic <no-reply@vitaline.example>";
  t = await startTools();
}, 60_000);
afterAll(() => t.close());
beforeEach(() => t.heal());

const verify = "verifyPatientIdentity";
const minuteMs = 60_000;
const texts = () => t.platform.aws.aws.sms.texts();
const mails = () => t.platform.aws.aws.ses.mails();
const lastCode = (channel: "sms" | "email" = "sms"): string => {
  const text = channel === "sms" ? texts().at(-1)?.text : mails().at(-1)?.text;
  return /\b\d{6}\b/.exec(text ?? "")?.[0] ?? "";
};
const otherThan = (code: string): string => String((Number(code) + 1) % 10 ** 6).padStart(6, "0");
const words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const wrong = (attemptsLeft: number) => ({
  ok: false,
  code: attemptsLeft === 0 ? "identity_locked" : "identity_not_verified",
  output: { verified: false, level: 1, attemptsLeft, about: "code" },
});

let newcomers = 0;
async function newcomer(which: Which, change: Partial<Patient> = {}) {
  const birthDate = `1971-02-${String((newcomers++ % 28) + 1).padStart(2, "0")}`;
  const ehr = await t.ehr(which);
  const chart = await ehr.read<Patient>("Patient", t.patients[0]!.id);
  const family = `Code${randomUUID().replaceAll(/[^a-z]/g, "")}`;
  const { id = "" } = await ehr.create<Patient>({ ...chart, id: undefined, birthDate, name: [{ given: ["Maeve"], family }], ...change });
  const claim = { firstName: "Maeve", lastName: family, dateOfBirth: birthDate, zipCode: chart.address?.[0]?.postalCode };
  const calling = async () => {
    const phone = t.phone(which);
    expect(await phone.use(verify, claim)).toMatchObject({ ok: true, output: { level: 1 } });
    return phone;
  };
  return { id, claim, calling };
}
const numbered = (...numbers: [value: string, more?: object][]): Pick<Patient, "telecom"> => ({
  telecom: numbers.map(([value, more]) => ({ system: "phone", value, ...more })),
});

describe("a one-time code", () => {
  it("goes to the mobile phone on file, says only its last digits, and raises the call to level 2", async () => {
    const { calling } = await newcomer(0, numbered(["+16175550142"], ["(617) 555-0177", { use: "mobile" }]));
    const listedForTexts = await newcomer(0, numbered(["+16175550142"], ["(617) 555-0178", { system: "sms" }]));
    const caller = await calling();
    expect(await (await listedForTexts.calling()).use(verify, { sendCode: "sms" })).toMatchObject({
      output: { codeSentTo: { hint: "78" } },
    });
    expect(await caller.use(verify, { sendCode: "SMS" })).toEqual({
      ok: true,
      speech: "I've sent a six-digit code to the phone ending in 77. Please read it to me when you have it.",
      output: { verified: true, level: 1, attemptsLeft: 3, codeSentTo: { channel: "sms", hint: "77" } },
    });
    expect(texts().at(-1)?.to).toBe("+16175550177");
    const spoken = [...lastCode()].map((digit) => words[Number(digit)]).join(" ");
    expect(await caller.use(verify, { code: spoken })).toEqual({
      ok: true,
      speech: "Thank you, that's all I need.",
      output: { verified: true, level: 2, attemptsLeft: 3, further: true },
    });
    expect(await caller.state()).toMatchObject({ level: 2, factors: ["zip", "code"] });
    expect(await caller.use(verify, { code: lastCode() })).toMatchObject({
      code: "identity_not_verified",
      output: { level: 2, about: "code" },
    });
    expect(await caller.state()).toMatchObject({ level: 2 });
  });

  it("goes by email, too, and the level stays when the same patient names one more factor", async () => {
    const { calling, claim } = await newcomer(1, { telecom: [{ system: "email", value: "maeve@example.com" }] });
    const caller = await calling();
    expect(await caller.use(verify, { sendCode: "email" })).toMatchObject({
      output: { codeSentTo: { channel: "email", hint: "M" } },
    });
    expect(mails().at(-1)?.to).toEqual(["maeve@example.com"]);
    expect(await caller.use(verify, { code: lastCode("email") })).toMatchObject({ ok: true, output: { level: 2 } });
    expect(await caller.use(verify, claim)).toMatchObject({ ok: true, output: { level: 2 } });
    expect(await caller.use(verify, t.claimOf(1))).toMatchObject({ ok: true, output: { level: 1 } });
  });

  it("is asked for by a verified caller alone", async () => {
    const phone = t.phone(0);
    const before = texts().length;
    for (const args of [{ sendCode: "sms" }, { code: "123456" }])
      expect(await phone.use(verify, args)).toEqual({ ok: false, code: "identity_required", speech: sentences.identity_required });
    expect(texts()).toHaveLength(before);
  });

  it("is refused in the same words whether it is wrong, old, of another call, of another patient, or was never sent", async () => {
    const { calling } = await newcomer(0, numbered(["+16175550142"]));
    const [one, two] = [await calling(), await calling()];
    expect(await one.use(verify, { code: "123456" })).toMatchObject(wrong(2));
    await one.use(verify, { sendCode: "sms" });
    const code = lastCode();
    expect(await two.use(verify, { code })).toMatchObject(wrong(2));
    expect(await one.use(verify, { code: otherThan(code) })).toMatchObject(wrong(2));
    const late = await one.use(verify, { code }, { laterMs: 5 * minuteMs + 1000 });
    expect(late).toMatchObject(wrong(1));
    await one.use(verify, t.claimOf(1));
    const stranger = await one.use(verify, { code });
    expect(stranger).toMatchObject(wrong(0));
    expect(late.speech).toBe("I couldn't verify that information. This is the last try: please read me the six digits once more.");
    expect(stranger.speech).toBe("I couldn't verify that information. Let me connect you with someone at the office who can help.");
    expect((await one.state())?.level).toBe(1);
  });

  it("is worth nothing after three wrong guesses, also when it is right then", async () => {
    const { calling } = await newcomer(0, numbered(["+16175550142"]));
    const caller = await calling();
    await caller.use(verify, { sendCode: "sms" });
    const code = lastCode();
    const guesses = [];
    for (let guess = 0; guess < 3; guess++) guesses.push(await caller.use(verify, { code: otherThan(code) }));
    expect(guesses).toMatchObject([wrong(2), wrong(1), wrong(0)]);
    expect(await caller.use(verify, { code })).toMatchObject(wrong(0));
    expect(await caller.use(verify, { sendCode: "sms" })).toMatchObject({ ok: true });
    expect(await caller.use(verify, { sendCode: "sms" })).toEqual({ ok: false, code: "not_doable", speech: sentences.not_doable });
    expect(await caller.use(verify, { code: lastCode() })).toMatchObject({ ok: true, output: { level: 2 } });
  });

  it("counts every guess of many that are made at once: each that is answered has a try of its own", async () => {
    const { calling } = await newcomer(0, numbered(["+16175550142"]));
    const caller = await calling();
    await caller.use(verify, { sendCode: "sms" });
    const guesses = await Promise.all(Array.from({ length: 8 }, () => caller.use(verify, { code: otherThan(lastCode()) })));
    const lefts = guesses.flatMap(({ code, output }) =>
      code === "in_progress" ? [] : [(output as { attemptsLeft: number }).attemptsLeft].filter((left) => left > 0),
    );
    expect(new Set(lefts).size).toBe(lefts.length);
    const row = await t.context(0).store.get<CallCodeRow>(keys.callCode(caller.callKey));
    expect(row?.tries).toBe(guesses.filter(({ code }) => code !== "in_progress").length);
  });

  it("is sent to one patient at most five times an hour, over all callers", async () => {
    const { calling } = await newcomer(1, numbered(["+16175550142"]));
    const send = async (laterMs = 0) => (await calling()).use(verify, { sendCode: "sms" }, { laterMs });
    for (let call = 0; call < 5; call++) expect(await send(), String(call)).toMatchObject({ ok: true });
    expect(await send()).toMatchObject({ code: "not_doable" });
    expect(await send(60 * minuteMs)).toMatchObject({ ok: true });
  });

  it("never goes to a contact that is old, was changed in a call within thirty days, or is not on file", async () => {
    const fresh = "+16175550142";
    const { calling, id } = await newcomer(0, numbered([fresh, { use: "mobile" }], ["+16175550143", { use: "old" }], ["+16175550144"]));
    await recordContactChange({ ctx: t.context(0), providerId: t.providers[0]!, patientId: id }, [fresh]);
    expect(await (await calling()).use(verify, { sendCode: "sms" })).toMatchObject({
      output: { codeSentTo: { channel: "sms", hint: "44" } },
    });
    expect(await (await calling()).use(verify, { sendCode: "email" })).toEqual({
      ok: false,
      code: "contact_not_on_file",
      speech: sentences.contact_not_on_file,
    });
    const month = 31 * 24 * 60 * minuteMs;
    const later = await calling();
    const [expiresAt, verifiedUntilMs] = [Math.floor(Date.now() / 1000) + 1e7, Date.now() + 2 * month];
    await t.context(0).store.writeUnaudited(update(keys.callState(later.callKey), { set: { expiresAt, verifiedUntilMs } }));
    expect(await later.use(verify, { sendCode: "sms" }, { laterMs: month })).toMatchObject({
      output: { codeSentTo: { channel: "sms", hint: "42" } },
    });
  });

  it("is not sent to an opted-out contact, nor if the clinic sends no messages; the caller is told and may go on", async () => {
    const { calling } = await newcomer(0, {
      telecom: [
        { system: "phone", value: "+16175550145" },
        { system: "email", value: "m@example.com" },
      ],
    });
    const caller = await calling();
    await t.context(0).store.writeUnaudited(put(keys.optOut("+16175550145"), { channel: "sms", at: new Date().toISOString() }));
    expect(await caller.use(verify, { sendCode: "sms" })).toMatchObject({ ok: false, code: "opted_out", speech: sentences.opted_out });
    expect(await caller.use(verify, { sendCode: "email" })).toMatchObject({ ok: true });
    expect(await caller.use(verify, { code: lastCode("email") })).toMatchObject({ ok: true, output: { level: 2 } });
  });

  it("is sent once and checked once however often one request comes, and a lost audit row does not spend it", async () => {
    const { calling } = await newcomer(0, numbered(["+16175550142"]));
    const caller = await calling();
    const [sending, guessing, checking] = [randomUUID(), randomUUID(), randomUUID()];
    const sent = await caller.use(verify, { sendCode: "sms" }, { toolCallId: sending });
    const count = texts().length;
    expect(await caller.use(verify, { sendCode: "sms" }, { toolCallId: sending })).toEqual(sent);
    expect(texts()).toHaveLength(count);
    const guess = () => caller.use(verify, { code: otherThan(lastCode()) }, { toolCallId: guessing });
    expect([await guess(), await guess()]).toMatchObject([wrong(2), wrong(2)]);
    t.platform.aws.fault(({ operation }) =>
      operation === "PutItem" ? { status: 500, code: "InternalServerError", message: "injected" } : undefined,
    );
    const check = () => caller.use(verify, { code: lastCode() }, { toolCallId: checking });
    expect(await check()).toMatchObject({ ok: false, code: "unavailable" });
    t.platform.aws.fault();
    expect((await caller.state())?.level).toBe(1);
    const first = await check();
    expect(first).toMatchObject({ ok: true, output: { level: 2 } });
    expect(await check()).toEqual(first);
    expect((await t.audits(0, caller.callKey)).map(({ code, detail }) => [detail?.["action"], code])).toEqual(
      expect.arrayContaining([
        ["sendCode", undefined],
        ["checkCode", "identity_not_verified"],
        ["checkCode", undefined],
      ]),
    );
    expect(await t.audits(0, caller.callKey)).toHaveLength(4);
  });

  it("without a tool call id, is sent again on request, unless that is immediate and the code was not tried", async () => {
    const { calling } = await newcomer(0, numbered(["+16175550142"]));
    const caller = await calling();
    const send = (laterMs: number) =>
      runTool(t.context(0, { laterMs }), { ...caller.call(verify, { sendCode: "sms" }), toolCallId: undefined });
    const from = texts().length;
    const first = await send(0);
    expect([first.ok, await send(2000), texts().length]).toEqual([true, first, from + 1]);
    expect(await send(2 * minuteMs)).toEqual(first);
    expect(texts()).toHaveLength(from + 2);
    expect(await caller.use(verify, { code: lastCode() }, { laterMs: 2 * minuteMs })).toMatchObject({ ok: true, output: { level: 2 } });

    const hasty = await calling();
    const sendAgain = () => runTool(t.context(0), { ...hasty.call(verify, { sendCode: "sms" }), toolCallId: undefined });
    await sendAgain();
    await hasty.use(verify, { code: otherThan(lastCode()) });
    expect([(await sendAgain()).ok, texts().length]).toEqual([true, from + 4]);
  });

  it("without a tool call id, is sent again if the process died before sending it", async () => {
    const { calling } = await newcomer(0, numbered(["+16175550142"]));
    const caller = await calling();
    const call = { ...caller.call(verify, { sendCode: "sms" }), toolCallId: undefined };
    const from = texts().length;
    const ctx = t.context(0);
    const place = () => ctx.store.get<CallCodeRow>(keys.callCode(caller.callKey));
    const dying: typeof ctx.store.writeUnaudited = async (write) => {
      const noted = await ctx.store.writeUnaudited(write);
      return (await place()) ? new Promise<never>(() => {}) : (noted as never);
    };
    void runTool({ ...ctx, store: { ...ctx.store, writeUnaudited: dying } }, call);
    await vi.waitFor(async () => expect(await place()).toMatchObject({ sent: 1 }), { timeout: 20_000 });
    expect(texts()).toHaveLength(from);
    expect(await runTool(t.context(0, { laterMs: 10_000 }), call)).toMatchObject({ ok: true });
    expect(texts()).toHaveLength(from + 1);
  });

  it("allows ten wrong guesses per patient and hour and twenty a day, over all calls, after which even the right code fails", async () => {
    const { claim } = await newcomer(1, numbered(["+16175550142"]));
    const guess = async (laterMs: number) => {
      const caller = t.phone(1);
      await caller.use(verify, claim, { laterMs });
      return caller.use(verify, { code: "123456" }, { laterMs });
    };
    const hour = 60 * minuteMs;
    // Starts at the beginning of a day, so that no day ends during the test.
    const start = (Math.ceil(Date.now() / (24 * hour)) + 1) * 24 * hour - Date.now();
    for (let at = 0; at < 10; at++) expect(await guess(start), String(at)).toMatchObject(wrong(2));
    expect(await guess(start)).toMatchObject(wrong(0));
    const caller = t.phone(1);
    await caller.use(verify, claim, { laterMs: start });
    await caller.use(verify, { sendCode: "sms" }, { laterMs: start });
    expect(await caller.use(verify, { code: lastCode() }, { laterMs: start })).toMatchObject(wrong(0));
    for (let at = 0; at < 10; at++) expect(await guess(start + hour), String(at)).toMatchObject(wrong(2));
    expect(await guess(start + 2 * hour)).toMatchObject(wrong(0));
    expect(await guess(start + 24 * hour)).toMatchObject(wrong(2));
  });

  it("allows a hundred wrong guesses per key and hour, over all patients", async () => {
    const people = await Promise.all(Array.from({ length: 11 }, () => newcomer(1, numbered(["+16175550142"]))));
    const laterMs = 5 * 24 * 60 * minuteMs;
    const guess = async (claim: object) => {
      const caller = t.phone(1);
      await caller.use(verify, claim, { laterMs });
      return caller.use(verify, { code: "123456" }, { laterMs });
    };
    for (let at = 0; at < 5; at++) expect(await guess(people[at]!.claim), String(at)).toMatchObject(wrong(2));
    const { store, tenantId, actor, clock } = t.context(1, { laterMs });
    const hour = Math.floor(clock().getTime() / (60 * minuteMs));
    const counted = keys.counter("code.key", scopedHash("one-time-code", tenantId, ["key", actor.id]), `hour.${hour}`);
    expect(await store.get(counted)).toMatchObject({ count: 5 });
    await store.writeUnaudited(update<CountRow>(counted, { add: { count: 90 } }));
    for (let at = 5; at < 10; at++) expect(await guess(people[at]!.claim), String(at)).toMatchObject(wrong(2));
    expect(await guess(people[10]!.claim)).toMatchObject(wrong(0));
  }, 60_000);

  it("stands in no answer, log, audit row or row of ours", async () => {
    const { calling, id } = await newcomer(0, numbered(["+16175550142"]));
    const caller = await calling();
    const from = t.lines.length;
    const answers = [await caller.use(verify, { sendCode: "sms" })];
    const code = lastCode();
    const row = await t.context(0).store.get<CallCodeRow>(keys.callCode(caller.callKey));
    answers.push(await caller.use(verify, { code }));
    const told = JSON.stringify([answers, t.lines.slice(from), await t.audits(0, caller.callKey), row]);
    expect(code).toMatch(/^\d{6}$/);
    expect(told).not.toContain(code);
    expect(told).not.toContain("6175550142");
    expect(JSON.stringify(t.lines.slice(from))).not.toContain(id);
  });

  it("is not sent once the chart was closed in the middle of the call", async () => {
    const { calling, id } = await newcomer(1, numbered(["+16175550142"]));
    const caller = await calling();
    const ehr = await t.ehr(1);
    await ehr.update<Patient>({ ...(await ehr.read<Patient>("Patient", id)), active: false });
    const before = texts().length;
    expect(await caller.use(verify, { sendCode: "sms" })).toMatchObject({ ok: false, code: "ehr_forbidden" });
    expect(texts()).toHaveLength(before);
  });

  it("asks the EHR for the chart alone to send it, and for nothing to check it; few units are written", async () => {
    const { calling } = await newcomer(0, numbered(["+16175550142"]));
    const caller = await calling();
    const sending = await t.cost(() => t.ehrRequests(() => caller.use(verify, { sendCode: "sms" })));
    const args = { code: lastCode() };
    const checking = await t.cost(() => t.ehrRequests(() => caller.use(verify, args)));
    expect(sending.answer.requests).toEqual(t.declaredRequests(verify, { sendCode: "sms" }));
    expect(checking.answer.requests).toEqual(t.declaredRequests(verify, args));
    expect([sending.writes, checking.writes]).toEqual([3, 4]);
  });

  it("needs six digits, and takes no try without", async () => {
    const { calling } = await newcomer(0, numbered(["+16175550142"]));
    const caller = await calling();
    expect(await caller.use(verify, { code: "one two three" })).toEqual({
      ok: false,
      code: "invalid_arguments",
      speech: "What are the six digits of the code?",
      fields: { code: "with its six digits" },
    });
    expect(await caller.use(verify, { sendCode: "fax" })).toMatchObject({ code: "invalid_arguments" });
    await caller.use(verify, { sendCode: "sms" });
    expect(await caller.use(verify, { code: `Sure, it's ${[...lastCode()].join(" ")}.` })).toMatchObject({ ok: true });
  });
});

describe("the level that a tenant asks for", () => {
  const setLevels = async (which: Which, toolLevels: Record<string, 1 | 2> | undefined) => {
    const { store } = t.context(which);
    const row = await store.get<TenantRow>(keys.tenantConfig());
    await store.commit([update<TenantRow>(keys.tenantConfig(), { set: { policies: { ...row?.policies, toolLevels } } })], {
      category: "configuration_change",
      action: "test",
      resourceType: "Tenant",
    });
  };

  it("is raised by its policy, for its own calls alone, and never lowered", async () => {
    await setLevels(0, { getPatientInfo: 2, scheduleAppointment: 2 });
    await setLevels(1, { getPatientInfo: 1 });
    const known = await t.verified(0, 2);
    for (const [name, args] of [
      ["getPatientInfo", {}],
      ["scheduleAppointment", { action: "list" }],
    ] as const)
      expect(await known.use(name, args), name).toEqual({
        ok: false,
        code: "identity_required",
        speech: expect.stringMatching(/^For that I need one more detail: /),
      });
    expect(await t.phone(0).use("scheduleAppointment")).toMatchObject({ ok: true });
    await known.use(verify, t.claimOf(2, "mrn"));
    expect(await known.use("getPatientInfo")).toMatchObject({ ok: true });
    expect(await (await t.verified(1, 2)).use("getPatientInfo")).toMatchObject({ ok: true });
    await setLevels(0, undefined);
    expect(await (await t.verified(0, 2)).use("getPatientInfo")).toMatchObject({ ok: true });
    expect(await t.phone(0).use("getPatientInfo")).toMatchObject({ code: "identity_required" });
  });
});

describe("A05: when the key of hashes is replaced", () => {
  const replaced = async (work: () => Promise<void>): Promise<void> => {
    const values = secretValues("hashes");
    holdSecret("hashes", [`a new value ${randomUUID()}`, ...values]);
    try {
      await work();
    } finally {
      holdSecret("hashes", values);
    }
  };

  it("a verified caller stays verified and is the same when verified again, and a code that was sent is right", async () => {
    const { calling, claim } = await newcomer(0, numbered(["+16175550142", { use: "mobile" }]));
    const caller = await calling();
    await caller.use(verify, { sendCode: "sms" });
    const code = lastCode();
    await replaced(async () => {
      expect(await caller.use("getPatientInfo", {})).toMatchObject({ ok: true });
      expect(await caller.use(verify, { code: otherThan(code) })).toMatchObject(wrong(2));
      expect(await caller.use(verify, { code })).toMatchObject({ ok: true, output: { level: 2 } });
      expect(await caller.use(verify, claim)).toMatchObject({ ok: true, output: { verified: true, level: 2 } });
      expect(await caller.use("getPatientInfo", {})).toMatchObject({ ok: true });
    });
  });

  it("a contact that was changed in a call before gets no code", async () => {
    const fresh = "+16175550142";
    const { calling, id } = await newcomer(0, numbered([fresh, { use: "mobile" }]));
    await recordContactChange({ ctx: t.context(0), providerId: t.providers[0]!, patientId: id }, [fresh]);
    await replaced(async () => {
      expect(await (await calling()).use(verify, { sendCode: "sms" })).toMatchObject({ ok: false, code: "contact_not_on_file" });
    });
  });
});
