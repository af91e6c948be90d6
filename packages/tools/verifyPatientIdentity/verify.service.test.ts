import { randomUUID } from "node:crypto";
import { AppError } from "@vitaline/core";
import { keys, type CallStateRow } from "@vitaline/store";
import type { Patient } from "fhir/r4.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runTool, type ToolContext } from "../index.ts";
import { sentences } from "../test/sentences.fixture.ts";
import { atOnce, startTools, type Tools } from "../test/tools.fixture.ts";

let t: Tools;
beforeAll(async () => {
  t = await startTools();
  // The first request also fetches the token and the capability statement.
  for (const which of [0, 1] as const) await t.verified(which, 5);
}, 60_000);
afterAll(() => t.close());
beforeEach(() => t.heal());

const verify = "verifyPatientIdentity";
const ehrRequests = () => t.lines.filter(({ event }) => event === "ehr.call").map(({ fields }) => fields["operation"]);
let nobodies = 1000;
const unlike = (index: number) => ({ ...t.claimOf(3), firstName: `Unlike${index}`, phoneNumber: `+1212558${nobodies++}` });
const closed = { id: "patient-1199" };

describe("verifyPatientIdentity", () => {
  it("binds the patient and the EHR to the call, at level 1 by one factor and at level 2 by two", async () => {
    const phone = t.phone(0);
    expect(await phone.use(verify, t.claimOf(0, "phone"))).toEqual({
      ok: true,
      speech: `Thanks, ${t.claimOf(0).firstName}.`,
      output: { verified: true, level: 1, attemptsLeft: 3, firstName: t.claimOf(0).firstName },
    });
    expect(await phone.state()).toMatchObject({
      level: 1,
      patientId: t.patients[0]!.id,
      providerId: t.providers[0],
      factors: ["phone"],
      tries: 0,
    });
    expect((await phone.use(verify, t.claimOf(0, "zip"))).output).toMatchObject({ verified: true, level: 2 });
    expect(await phone.state()).toMatchObject({ level: 2, factors: ["phone", "zip"] });
    expect((await t.phone(0).use(verify, { ...t.claimOf(0, "phone"), zipCode: t.patients[0]!.zip })).output).toMatchObject({ level: 2 });
  });

  it("counts the same factor once, and starts over with another patient", async () => {
    const phone = t.phone(0);
    await phone.use(verify, t.claimOf(0, "mrn"));
    await phone.use(verify, t.claimOf(0, "mrn"));
    expect(await phone.state()).toMatchObject({ level: 1, factors: ["mrn"] });
    await phone.use(verify, t.claimOf(1, "zip"));
    expect(await phone.state()).toMatchObject({ level: 1, patientId: t.patients[1]!.id, factors: ["zip"] });
  });

  it("hears what callers say: other cases, a middle name, spoken digits, a spoken date", async () => {
    const { given, family, birthDate, phone } = t.patients[2]!;
    const spoken = [...phone.slice(-10)]
      .map((digit) => ["oh", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"][Number(digit)])
      .join(" ");
    const date = new Intl.DateTimeFormat("en-US", { timeZone: "UTC", dateStyle: "long" }).format(new Date(birthDate));
    const answer = await t.phone(0).use(
      verify,
      JSON.stringify({
        firstName: `${given.toLowerCase()} Q.`,
        lastName: family.toUpperCase(),
        dateOfBirth: date,
        phoneNumber: spoken,
        zipCode: "",
        email: null,
      }),
    );
    expect(answer).toMatchObject({ ok: true, output: { level: 1 } });
  });

  it("fails with the same words, fields and work for every reason", async () => {
    const right = t.claimOf(3);
    await t.phone(0).use(verify, right);
    const twin = await (await t.ehr(0)).read<Patient>("Patient", t.patients[4]!.id);
    await (await t.ehr(0)).create<Patient>({ ...twin, id: undefined });
    const chart = await (await t.ehr(0)).read<Patient>("Patient", closed.id);
    const claims = {
      "unknown patient": { ...right, firstName: "Stranger" },
      "wrong birth date": { ...right, dateOfBirth: "1901-01-01" },
      "wrong factor": { ...right, phoneNumber: "+16175550199" },
      "one right and one wrong factor": { ...right, zipCode: "99999" },
      "a name that only begins right": { ...right, lastName: right.lastName.slice(0, 4) },
      "several matches": t.claimOf(4),
      "closed chart": {
        firstName: chart.name![0]!.given![0],
        lastName: chart.name![0]!.family,
        dateOfBirth: chart.birthDate,
        phoneNumber: chart.telecom![0]!.value,
      },
    };
    for (const [reason, claim] of Object.entries(claims)) {
      t.lines.length = 0;
      const phone = t.phone(0);
      const { answer, writes, requests } = await t.cost(() => phone.use(verify, claim));
      expect(answer, reason).toEqual({
        ok: false,
        code: "identity_not_verified",
        speech:
          "I couldn't verify that information. Please check your full name, date of birth and the other details, and tell me them once more.",
        output: { verified: false, level: 0, attemptsLeft: 2 },
      });
      expect(ehrRequests(), reason).toEqual(["search Patient"]);
      expect([writes, requests], reason).toEqual([
        6,
        [...atOnce, "UpdateItem", "UpdateItem", "UpdateItem", "GetItem", "PutItem", "UpdateItem", "UpdateItem"],
      ]);
      expect(await phone.state(), reason).toMatchObject({ level: 0, tries: 1 });
      expect((await phone.state())?.patientId, reason).toBeUndefined();
      const [audit, ...more] = await t.audits(0, phone.callKey);
      expect([more.length, audit], reason).toMatchObject([0, { success: false, code: "identity_not_verified", resourceType: "Tool" }]);
    }
  });

  it("fails no differently when the EHR locks the chart away", async () => {
    const ctx = t.context(0);
    const locked: ToolContext = {
      ...ctx,
      openEhr: async (tenant, options) => ({
        ...(await ctx.openEhr(tenant, options)),
        search: () => Promise.reject(new AppError("ehr_forbidden", "injected")),
      }),
    };
    const [one, other] = [t.phone(0), t.phone(0)];
    expect(await runTool(locked, one.call(verify, t.claimOf(5)))).toEqual(await other.use(verify, { ...t.claimOf(5), zipCode: "00000" }));
  });

  it("goes on with a new token when the EHR has dropped ours", async () => {
    await t.fault(0, { kind: "401-once", times: 1 });
    expect(await t.phone(0).use(verify, t.claimOf(5))).toMatchObject({ ok: true });
  });

  it("spends 8 write units on a success and gives the attempt back", async () => {
    await t.phone(0).use(verify, t.claimOf(5));
    for (let round = 0; round < 25; round++) {
      const { answer, writes, reads, bill } = await t.cost(() => t.phone(0, "+16175551234").use(verify, t.claimOf(5)));
      expect(answer).toMatchObject({ ok: true });
      expect([writes, reads], bill).toEqual([8, 6]);
    }
  });

  it("hands over after three tries in a call, without looking any further", async () => {
    const phone = t.phone(1);
    const wrong = { ...t.claimOf(0), phoneNumber: "+16175550198" };
    const lefts = [];
    for (let attempt = 0; attempt < 3; attempt++) lefts.push((await phone.use(verify, { ...wrong, zipCode: `0000${attempt}` })).output);
    expect(lefts).toEqual([2, 1, 0].map((attemptsLeft) => ({ verified: false, level: 0, attemptsLeft })));
    t.lines.length = 0;
    const { answer, writes } = await t.cost(() => phone.use(verify, t.claimOf(0)));
    expect(answer).toEqual({
      ok: false,
      code: "identity_locked",
      speech: sentences.identity_locked,
      output: { verified: false, level: 0, attemptsLeft: 0 },
    });
    expect([writes, ehrRequests()]).toEqual([1, []]);
    expect(await phone.use("getPatientInfo")).toEqual({ ok: false, code: "identity_locked", speech: sentences.identity_locked });
    expect(await t.phone(1).use(verify, t.claimOf(0))).toMatchObject({ ok: true });
    expect(await t.phone(1).use("getPatientInfo")).toMatchObject({ code: "identity_required" });
  });

  it("counts concurrent guesses: of many attempts in one call one is answered", async () => {
    const phone = t.phone(1);
    const guesses = await Promise.all(
      Array.from({ length: 6 }, (_, index) => phone.use(verify, { ...t.claimOf(1), zipCode: `1000${index}` })),
    );
    expect(guesses.filter(({ code }) => code === "identity_not_verified")).toHaveLength(1);
    expect(guesses.filter(({ code }) => code === "in_progress")).toHaveLength(5);
    expect(await t.audits(1, phone.callKey)).toHaveLength(6);
  });

  it("stops guesses at one patient from many calls, and one caller's guesses at many patients", async () => {
    const wrong = (index: number) => ({ ...t.claimOf(2), zipCode: String(20_000 + index) });
    const codes = [];
    for (let index = 0; index < 12; index++) codes.push((await t.phone(1).use(verify, wrong(index))).code);
    expect(codes).toEqual([...Array<string>(10).fill("identity_not_verified"), "identity_locked", "identity_locked"]);
    const caller = "+12125550177";
    const tried = [];
    for (let index = 0; index < 22; index++)
      tried.push((await t.phone(1, caller).use(verify, { ...unlike(index), lastName: `Family${String.fromCharCode(97 + index)}` })).code);
    expect(tried.slice(19)).toEqual(["identity_not_verified", "identity_locked", "identity_locked"]);
    expect(await t.phone(0, caller).use(verify, t.claimOf(2))).toMatchObject({ ok: true });
  });

  it("forgets an hour later what it has counted", async () => {
    const caller = "+12125550178";
    for (let index = 0; index < 21; index++) await t.phone(1, caller).use(verify, unlike(index));
    expect((await t.phone(1, caller).use(verify, t.claimOf(3))).code).toBe("identity_locked");
    expect(await t.phone(1, caller).use(verify, t.claimOf(3), { laterMs: 3_600_000 })).toMatchObject({ ok: true });
  });

  it("answers a repeated request as before: no try, no counter, no audit row", async () => {
    const phone = t.phone(0);
    for (const claim of [{ ...t.claimOf(1), zipCode: "00000" }, t.claimOf(1)]) {
      const toolCallId = randomUUID();
      const first = await phone.use(verify, claim, { toolCallId });
      const before = await phone.state();
      const { answer, writes } = await t.cost(() => phone.use(verify, claim, { toolCallId }));
      expect(answer).toEqual(first);
      expect(writes).toBe(0);
      expect(await phone.state()).toEqual(before);
    }
    expect(await t.audits(0, phone.callKey)).toHaveLength(2);
  });

  it("answers a repeated request as before also when another one in between ended otherwise", async () => {
    const phone = t.phone(0);
    const [wrong, right, more] = [{ ...t.claimOf(1), zipCode: "00000" }, t.claimOf(1), t.claimOf(1, "mrn")].map((claim) => ({
      claim,
      toolCallId: randomUUID(),
    }));
    const send = ({ claim, toolCallId }: NonNullable<typeof wrong>) => phone.use(verify, claim, { toolCallId });
    const firsts = [await send(wrong!), await send(right!), await send(more!)];
    expect(firsts.map(({ output }) => output)).toEqual([
      { verified: false, level: 0, attemptsLeft: 2 },
      { verified: true, level: 1, attemptsLeft: 2, firstName: t.claimOf(1).firstName },
      { verified: true, level: 2, attemptsLeft: 2, firstName: t.claimOf(1).firstName, further: true },
    ]);
    expect([await send(wrong!), await send(right!), await send(more!)]).toEqual(firsts);
    expect(await t.audits(0, phone.callKey)).toHaveLength(3);
  });

  it("finds a name however its apostrophe, accents and spaces are heard, with one search", async () => {
    const chart = await (await t.ehr(0)).read<Patient>("Patient", t.patients[5]!.id);
    for (const [family, heard] of [
      ["O'Brien", ["OBrien", "O'Brien", "O’Brien", "o brien"]],
      ["D’Ångelo", ["Dangelo", "D'Angelo", "d angelo"]],
      ["De La Cruz", ["Delacruz", "de-la-cruz", "De la Cruz"]],
    ] as const) {
      await (await t.ehr(0)).create<Patient>({ ...chart, id: undefined, birthDate: "1971-02-03", name: [{ family, given: ["Maeve"] }] });
      for (const lastName of heard) {
        t.lines.length = 0;
        const answer = await t.phone(0).use(verify, { ...t.claimOf(5), firstName: "Maeve", lastName, dateOfBirth: "1971-02-03" });
        expect([answer.ok, ehrRequests()], lastName).toEqual([true, ["search Patient"]]);
      }
    }
    expect((await t.phone(0).use(verify, { ...t.claimOf(5), firstName: "Maeve", lastName: "O", dateOfBirth: "1971-02-03" })).ok).toBe(
      false,
    );
  });

  let named = 0;
  it.each([
    ["accents", { family: "Núñez", given: ["José"] }, ["Jose Nunez", "JOSÉ NÚÑEZ", "José Núñez"]],
    ["accents at the beginning", { family: "Ñandú", given: ["Álvaro"] }, ["Alvaro Nandu"]],
    [
      "given names in one word or more",
      { family: "Beaumont", given: ["Jean-Luc"] },
      ["Jeanluc Beaumont", "Jean Beaumont", "Jean-Luc Beaumont"],
    ],
    ["one of several given names", { family: "Beaufort", given: ["Marialuisa"] }, ["Maria-Luisa Beaufort"]],
    [
      "one of two surnames",
      { family: "López García", given: ["Inés"] },
      ["Ines Lopez", "Ines Garcia", "Ines Lopez Garcia", "Inés López-García"],
    ],
    ["a second surname that is not on file", { family: "Quintero", given: ["Inés"] }, ["Ines Quintero Vidal"]],
    ["nothing but a text", { text: "Ana María Zubiri" }, ["Ana Zubiri"]],
    ["nothing but a text, family name first", { text: "Zabala, Ana" }, ["Ana Zabala"]],
    [
      "a nickname without its family name",
      [
        { family: "Wexler", given: ["Robert"] },
        { use: "nickname" as const, given: ["Bob"] },
      ],
      ["Bob Wexler", "Robert Wexler"],
    ],
    [
      "a maiden name",
      [
        { family: "Wexford", given: ["Ruth"] },
        { use: "maiden" as const, family: "Ito", given: ["Ruth"] },
      ],
      ["Ruth Ito", "Ruth Wexford"],
    ],
  ])("D08: finds a patient by %s, also where a server tells accents apart, with one search", async (_what, onFile, said) => {
    const chart = await (await t.ehr(0)).read<Patient>("Patient", t.patients[5]!.id);
    const id = `named-${++named}`;
    const birthDate = `1973-04-${String(named).padStart(2, "0")}`;
    await t.platform.clinics[0].sandbox.put({ ...chart, id, birthDate, name: [onFile].flat() });
    for (const strict of [false, true]) {
      if (strict) await t.fault(0, { kind: "strict-accents" });
      for (const name of said) {
        const [firstName = "", ...rest] = name.split(" ");
        t.lines.length = 0;
        const phone = t.phone(0);
        const answer = await phone.use(verify, { ...t.claimOf(5), firstName, lastName: rest.join(" "), dateOfBirth: birthDate });
        expect([answer.ok, ehrRequests(), (await phone.state())?.patientId], name).toEqual([true, ["search Patient"], id]);
        expect(await phone.use("getPatientInfo"), name).toMatchObject({ ok: true });
      }
      const other = { ...t.claimOf(5), firstName: "Zoltan", lastName: `Zoltan${String.fromCharCode(96 + named)}`, dateOfBirth: birthDate };
      expect(await t.phone(0).use(verify, other)).toMatchObject({ ok: false, code: "identity_not_verified" });
    }
    await t.heal();
  });

  it("D08: a number that is dialled with 00 or 011 is the number on file", async () => {
    const ehr = await t.ehr(0);
    const chart = await ehr.read<Patient>("Patient", t.patients[5]!.id);
    await ehr.create<Patient>({
      ...chart,
      id: undefined,
      birthDate: "1973-04-06",
      telecom: [{ system: "phone", value: "+49 30 12345678" }],
    });
    for (const phoneNumber of ["0049 30 12345678", "011 49 30 12345678", "+493012345678"])
      expect(await t.phone(0).use(verify, { ...t.claimOf(5), dateOfBirth: "1973-04-06", phoneNumber }), phoneNumber).toMatchObject({
        ok: true,
      });
  });

  it("finds a patient behind any number of charts that begin alike, and says no and logs it where they cannot all be seen", async () => {
    const ehr = await t.ehr(0);
    const chart = await ehr.read<Patient>("Patient", t.patients[5]!.id);
    const add = (family: string) =>
      ehr.create<Patient>({ ...chart, id: undefined, birthDate: "1972-03-04", name: [{ family, given: ["Odette"] }] });
    const claim = { ...t.claimOf(5), firstName: "Odette", lastName: "Marchetti", dateOfBirth: "1972-03-04" };
    const letters = [..."abcdefghijklmnopqrstuvwxyz"];
    for (const letter of letters.slice(0, 24)) await add(`M${letter}lone`);
    await add("Marchetti");
    expect(await t.phone(0).use(verify, claim)).toMatchObject({ ok: true });
    for (const letter of letters) for (const next of "ab") await add(`Mo${letter}${next}`);
    await add("Montefiore");
    expect(await t.phone(0).use(verify, { ...claim, lastName: "Montefiore" })).toMatchObject({ ok: true });
    const ctx = t.context(0);
    const crowded: ToolContext = {
      ...ctx,
      openEhr: async (tenant, options) => ({
        ...(await ctx.openEhr(tenant, options)),
        search: async (_type, _params, options) =>
          Array.from({ length: options?.maxResources ?? 0 }, (_, index) => ({ ...chart, id: `c${index}` })) as never,
      }),
    };
    t.lines.length = 0;
    expect((await runTool(crowded, t.phone(0).call(verify, t.claimOf(5)))).code).toBe("identity_not_verified");
    expect(t.lines.filter(({ event }) => event === "identity.too_many_candidates")).toHaveLength(1);
  });

  it("counts guesses at one patient together, however the name's parts are written", async () => {
    const spelled = (index: number) => ["Van Der Berg", "Vanderberg", "Van-der Berg", "V an derberg"][index % 4];
    const codes = [];
    for (let index = 0; index < 11; index++)
      codes.push(
        (await t.phone(1).use(verify, { ...t.claimOf(5), firstName: "No one", lastName: spelled(index), zipCode: String(30_000 + index) }))
          .code,
      );
    expect(codes.slice(9)).toEqual(["identity_not_verified", "identity_locked"]);
  });

  it("locks no caller out for an EHR outage or for concurrent attempts", async () => {
    const claim = t.claimOf(4, "mrn");
    const [ctx, caller] = [t.context(1), "+12125550188"];
    const down: ToolContext = {
      ...ctx,
      openEhr: async (tenant, options) => ({
        ...(await ctx.openEhr(tenant, options)),
        search: () => Promise.reject(new AppError("ehr_unavailable", "injected")),
      }),
    };
    for (let round = 0; round < 12; round++)
      expect((await runTool(down, t.phone(1, caller).call(verify, claim))).code).toBe("ehr_unavailable");
    const phone = t.phone(1, caller);
    const allBegun = Promise.withResolvers<undefined>();
    let begun = 0;
    const atOnce: ToolContext = {
      ...ctx,
      openEhr: async (tenant, options) => {
        const ehr = await ctx.openEhr(tenant, options);
        return {
          ...ehr,
          search: async (...given) => {
            if (++begun === 10) allBegun.resolve(undefined);
            await allBegun.promise;
            return ehr.search(...given);
          },
        };
      },
    };
    const wrong = (index: number) => runTool(atOnce, phone.call(verify, { ...claim, medicalRecordNumber: `MRN1000${index}` }));
    const codes = (await Promise.all(Array.from({ length: 10 }, (_, index) => wrong(index)))).map(({ code }) => code);
    expect(codes.filter((code) => code === "in_progress")).toHaveLength(9);
    expect(await t.phone(1, caller).use(verify, claim)).toMatchObject({ ok: true });
    expect(await t.phone(1).use(verify, claim)).toMatchObject({ ok: true });
  });

  it("tells callers with a withheld number apart by their calls", async () => {
    for (let index = 0; index < 22; index++)
      expect((await t.phone(1, "anonymous").use(verify, unlike(index))).code).toBe("identity_not_verified");
    expect(await t.phone(1, "anonymous").use(verify, t.claimOf(0))).toMatchObject({ ok: true });
  });

  it("takes for a medical record number nothing but one that is in use", async () => {
    const chart = await (await t.ehr(0)).read<Patient>("Patient", t.patients[5]!.id);
    const v2 = "http://terminology.hl7.org/CodeSystem/v2-0203";
    const typed = (code: string, system = v2) => ({ type: { coding: [{ system, code }] }, system: "urn:ehr", value: "A-4471903" });
    const bare = { value: "A-4471903" };
    const other = { system: "urn:ehr:other", value: "X-1" };
    const cases: [identifier: NonNullable<Patient["identifier"]>, accepted: boolean][] = [
      [[typed("MR"), other], true],
      [[{ ...typed("MR"), period: { end: "2999-01-01" } }], true],
      [[bare], true],
      [[{ ...bare, system: "urn:ehr:records" }], true],
      [[bare, other], false],
      [[typed("MR", "urn:own-codes")], false],
      ...["SS", "SB", "DL", "MB", "NI", "PPN"].map((code): [NonNullable<Patient["identifier"]>, boolean] => [[typed(code)], false]),
      ...[
        "http://hl7.org/fhir/sid/us-ssn",
        "urn:oid:2.16.840.1.113883.4.1",
        "urn:oid:2.16.840.1.113883.4.3.25",
        "http://hl7.org/fhir/sid/us-mbi",
        "https://insurer.example/member-id",
      ].map((system): [NonNullable<Patient["identifier"]>, boolean] => [[{ ...bare, system }], false]),
      [[{ ...typed("MR"), use: "old" }], false],
      [[{ ...typed("MR"), period: { end: "2020-01-01" } }], false],
      [[{ ...typed("MR"), value: "B-4471903" }], false],
    ];
    for (const [index, [identifier, accepted]] of cases.entries()) {
      const lastName = `Record${String.fromCharCode(97 + index)}`;
      const name = [{ family: lastName, given: ["Nadia"] }];
      await (await t.ehr(0)).create<Patient>({ ...chart, id: undefined, name, identifier });
      const claim = { firstName: "Nadia", lastName, dateOfBirth: chart.birthDate, medicalRecordNumber: "a 4471903" };
      expect((await t.phone(0).use(verify, claim)).ok, JSON.stringify(identifier)).toBe(accepted);
    }
  });

  it("counts no attempt for an impossible birth date, and names missing fields", async () => {
    const phone = t.phone(0);
    for (const dateOfBirth of ["1879-12-31", "2999-01-01", "0001-01-01", "9999-12-31"])
      expect(await phone.use(verify, { ...t.claimOf(0), dateOfBirth })).toEqual({
        ok: false,
        code: "invalid_arguments",
        speech: "What's your date of birth, with the year?",
        fields: { dateOfBirth: "with month, day and year" },
      });
    expect((await phone.use(verify, {})).speech).toBe("May I have your first and last name, please?");
    expect((await phone.use(verify, { ...t.claimOf(0), lastName: { family: "x" }, zipCode: [] })).speech).toBe(
      "And your last name, please?",
    );
    expect(await phone.state()).toBeUndefined();
  });

  it("asks for missing fields without counting an attempt", async () => {
    const phone = t.phone(0);
    const { firstName, lastName } = t.claimOf(0);
    expect(await phone.use(verify, { firstName })).toMatchObject({ ok: false, code: "invalid_arguments" });
    expect((await phone.use(verify, { firstName, lastName, dateOfBirth: "03/04/1985", zipCode: 2199 })).speech).toBe(
      "What's your date of birth, with the year?",
    );
    expect((await phone.use(verify, { firstName, lastName, dateOfBirth: "1985-03-04" })).speech).toBe(
      "What's the phone number or zip code we have on file?",
    );
    expect(await phone.state()).toBeUndefined();
  });

  it("takes no try when the EHR is out of reach, and says so", async () => {
    await t.fault(0, { kind: "503" });
    const phone = t.phone(0);
    expect(await phone.use(verify, t.claimOf(0), { deadlineMs: 3000 })).toMatchObject({
      ok: false,
      code: "ehr_unavailable",
      speech: sentences.ehr_unavailable,
    });
    expect((await phone.state())?.tries ?? 0).toBe(0);
    expect(await t.audits(0, phone.callKey)).toMatchObject([{ success: false, code: "ehr_unavailable" }]);
  });

  it("answers nothing when its audit row cannot be written", async () => {
    t.platform.aws.fault(({ operation }) =>
      operation === "PutItem" ? { status: 500, code: "InternalServerError", message: "injected" } : undefined,
    );
    const phone = t.phone(0);
    const answer = await phone.use(verify, t.claimOf(0));
    t.platform.aws.fault();
    expect(answer).toEqual({ ok: false, code: "unavailable", speech: sentences.unavailable });
    expect(await phone.state()).toBeUndefined();
  });

  it("does not bind a call that ends in the middle", async () => {
    const phone = t.phone(0);
    await phone.hangUp();
    expect(await runTool(t.context(0), phone.call(verify, t.claimOf(0)))).toMatchObject({ code: "forbidden" });
    expect((await t.context(0).store.get<CallStateRow>(keys.callState(phone.callKey)))?.patientId).toBeUndefined();
  });
});
