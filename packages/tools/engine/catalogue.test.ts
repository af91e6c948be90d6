import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { Language } from "@vitaline/contract";
import { errorCodes } from "@vitaline/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { catalogue } from "./catalogue.ts";
import { maxWords, sentencesOf, standardPhrasing, wordCount } from "../speech/phrasing.ts";
import { questionFor } from "../speech/questions.ts";
import { phrasingIn } from "../test/sentences.fixture.ts";
import { loadTools } from "../tools.ts";

const entries = await catalogue();

const tools = await loadTools();

const languages = Language.options;

type Schema = {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
};

const argumentNames = Object.values(tools).flatMap(({ input }) =>
  Object.keys((z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as Schema).properties ?? {}),
);
/** Such as "slotId"; "date" is also a word. */
const technical = [
  ...argumentNames.filter((name) => /[A-Z]/.test(name)),
  ...errorCodes.filter((code) => code.includes("_")),
  ...Object.keys(tools),
];

/** Why a text cannot be said to a patient. */
const faultsOf = (text: string): string[] => [
  ...(/^[\p{Lu}¿][^\n_{}<>]*[.?]$/u.test(text) ? [] : [`not a sentence: ${text}`]),
  ...sentencesOf(text).flatMap((one) => (wordCount(one) > maxWords ? [`too long: ${one}`] : [])),
  ...(text.split("?").length > 2 ? [`several questions: ${text}`] : []),
  ...(/\b(?:undefined|null|NaN|Invalid Date)\b|\[object/.test(text) ? [`a hole: ${text}`] : []),
  ...technical.flatMap((name) => (text.includes(name) ? [`${name} in: ${text}`] : [])),
];

/** "result=booked" for each value that a schema lists, or that an output has. */
function kindsIn(schema: Schema, name = ""): string[] {
  const here = [...(schema.enum ?? []), ...(schema.const === undefined ? [] : [schema.const])].map((value) => `${name}=${String(value)}`);
  const within = Object.entries(schema.properties ?? {}).flatMap(([property, one]) => kindsIn(one, property));
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])];
  return [...here, ...within, ...parts.flatMap((one) => kindsIn(one, name))];
}
function valuesIn(output: unknown, name = ""): string[] {
  if (Array.isArray(output)) return output.flatMap((one) => valuesIn(one, name));
  if (typeof output === "object" && output !== null) return Object.entries(output).flatMap(([property, one]) => valuesIn(one, property));
  return [`${name}=${String(output)}`];
}

/** Kept for the metrics, never said. */
const unspoken = /^reason=/;

describe("the catalogue of what tools say", () => {
  it.each(languages)("has in %s short sentences with one question, without names of arguments and codes", (language) => {
    expect(entries.flatMap((entry) => faultsOf(entry[language]))).toEqual([]);
  });

  it("has its own Spanish, with usted and both question marks, for every English text", () => {
    for (const { situation, en, es, inOwnWords } of entries) {
      if (inOwnWords) continue;
      expect(es, situation).not.toBe(en);
      expect(es.split("¿").length, es).toBe(es.split("?").length);
      expect(es).not.toMatch(/\b(?:tú|tu|tus|te|ti|contigo|puedes|quieres|tienes|deseas|dime|dame)\b/iu);
      expect(es).not.toMatch(/\b(?:the|your|please|you|we|office)\b/iu);
    }
  });

  it.each(Object.values(tools))("has an example of every kind of answer of $name", ({ output, examples }) => {
    for (const example of examples) expect(z.safeParse(output, example.output).success, example.situation).toBe(true);
    const listed = kindsIn(z.toJSONSchema(output, { unrepresentable: "any" }) as Schema).filter((kind) => !unspoken.test(kind));
    // Texts and mails have one kind of answer.
    const alike = Object.values(tools).filter((tool) => tool.output === output);
    const shown = new Set(alike.flatMap((tool) => tool.examples.flatMap((example) => valuesIn(example.output))));
    expect([...new Set(listed)].filter((kind) => !shown.has(kind))).toEqual([]);
    expect(new Set(examples.map(({ situation }) => situation)).size).toBe(examples.length);
  });
});

it.each([
  { style: "text", options: [], line: /^ {2}You're booked for tomorrow, / },
  { style: "tables", options: ["--md"], line: /^\| Booked \| You're booked for .+ \| Su cita queda agendada / },
])("npm run sentences prints it as $style, under each tool", async ({ options, line }) => {
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(import.meta.dirname, "print-sentences.ts"), ...options]);
  const lines = stdout.split("\n");
  expect(lines.filter((one) => line.test(one))).toHaveLength(1);
  for (const name of Object.keys(tools)) expect(lines.filter((one) => one === name || one === `## ${name}`)).toHaveLength(1);
});

describe("a missing or unreadable argument", () => {
  it.each(Object.values(tools))("of $name is asked for by its own question", ({ input, parse, questions }) => {
    const { properties = {} } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as Schema;
    expect(Object.keys(properties).filter((name) => !Object.hasOwn(questions, name))).toEqual([]);
    for (const args of [{}, ...Object.keys(properties).map((name) => ({ [name]: { not: "text" } }))]) {
      const { invalidFields = {} } = parse(args);
      expect(
        Object.keys(invalidFields).filter((name) => !Object.hasOwn(questions, name)),
        JSON.stringify(args),
      ).toEqual([]);
    }
  });

  it("is asked for alone, also when several are", () => {
    const { questions } = tools["verifyPatientIdentity"]!;
    const fields = { dateOfBirth: "is missing", phoneNumber: "is missing" };
    expect(languages.map((language) => questionFor(questions, fields, standardPhrasing(language)))).toEqual([
      "What's your date of birth, with the year?",
      "¿Cuál es su fecha de nacimiento, con el año?",
    ]);
  });
});

describe("offered times", () => {
  const slot = fc.record({
    slotId: fc.uuid(),
    start: fc
      .date({ min: new Date("2026-11-25T15:00:00Z"), max: new Date("2027-03-01"), noInvalidDate: true })
      .map((at) => at.toISOString()),
    end: fc.constant("2027-03-01T00:00:00Z"),
    practitioner: fc.option(
      fc.constantFrom(
        "Dr. Amara Larkmere",
        "Dr. Bela Larkmere",
        "Dr. Maria de la Cruz",
        "Pat Roe NP",
        "Dr. Bartholomew Marlstead-Featherstone the Third",
      ),
      { nil: undefined },
    ),
    location: fc.option(fc.constantFrom("Mockford North", "Sampleton Main Clinic, East Building", "Example Park"), { nil: undefined }),
    service: fc.option(fc.constantFrom("Cardiology", "Office Visit", "General Practice"), { nil: undefined }),
  });
  const output = fc.record({ slots: fc.array(slot, { minLength: 1, maxLength: 3 }), otherDays: fc.boolean() });

  it.each(languages)("are all said in %s, in their order, as short as they can be followed, for any doctors and places", (language) => {
    const { speak } = tools["scheduleAppointment"]!;
    fc.assert(
      fc.property(output, fc.constantFrom("reachable" as const, "unstaffed" as const, "closed" as const), (found, office) => {
        const phrasing = phrasingIn(language, office);
        const said = speak({ result: "found", ...found }, phrasing);
        expect(faultsOf(said)).toEqual([]);
        let at = -1;
        for (const { start } of found.slots) {
          at = said.indexOf(phrasing.clock(start), at + 1);
          expect(at, said).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  it("have the place only where they differ, the doctor once where it is the same, and the shortest sure name", () => {
    const offered = (slots: object[], language: Language = "en") =>
      tools["scheduleAppointment"]!.speak(
        { result: "found", otherDays: false, slots: slots.map((one, at) => ({ slotId: String(at), end: "", ...one })) },
        phrasingIn(language),
      );
    const [nine, two] = ["2026-11-26T14:30:00Z", "2026-12-01T19:00:00Z"];
    const [north, south] = [{ location: "Mockford North" }, { location: "Mockford South" }];
    const [cruz, roe, other] = ["Dr. Maria de la Cruz", "Dr. Jo Roe", "Dr. Sam Roe"].map((practitioner) => ({ practitioner }));
    expect(
      offered([
        { start: nine, ...cruz, ...north },
        { start: two, ...cruz, ...north },
      ]),
    ).toBe("I have tomorrow at 9:30 AM; or Tuesday, December 1 at 2:00 PM, both with Doctor de la Cruz. Which would you like?");
    expect(
      offered([
        { start: nine, ...cruz, ...north },
        { start: nine, ...roe, ...south },
      ]),
    ).toBe(
      "I have tomorrow at 9:30 AM with Doctor de la Cruz at Mockford North or at 9:30 AM with Doctor Roe at Mockford South. Which would you like?",
    );
    expect(
      offered([
        { start: nine, ...roe },
        { start: nine, ...other },
      ]),
    ).toContain("with Doctor Jo Roe or at 9:30 AM with Doctor Sam Roe.");
    expect(offered([{ start: nine, practitioner: "Dr. Jo Roe MD" }])).toContain("with Doctor Jo Roe MD.");
    expect(
      offered(
        [
          { start: nine, ...cruz },
          { start: two, ...cruz },
        ],
        "es",
      ),
    ).toBe(
      "Tengo mañana a las 9:30 de la mañana o el martes 1 de diciembre a las 2 de la tarde, los dos con Maria de la Cruz. ¿Cuál prefiere?",
    );
  });
});
