import { type OfficeFacts, OfficeFactsChange } from "@vitaline/contract";
import { expect, test } from "vitest";
import { factsOf, factsValues } from "./facts-values.ts";

const facts: OfficeFacts = {
  ...{ directions: "Up the hill", parking: null, telehealth: null, afterHours: "Call the nurse" },
  ...{ insurance: ["Aetna", "Cigna"], selfPayPrices: [], whatToBring: ["A photo ID"], languages: [] },
  ...{ holidays: [{ date: "2026-12-25", name: "Christmas Day" }], questions: [{ question: "Why?", answer: "Because." }] },
};
const set = {
  ...{ directions: "Up the hill", afterHours: "Call the nurse", insurance: ["Aetna", "Cigna"], whatToBring: ["A photo ID"] },
  ...{ holidays: facts.holidays, questions: facts.questions },
};

test("facts come back from a form as they went in, and blanks as nothing", () => {
  expect(OfficeFactsChange.parse(factsOf(factsValues(facts)))).toEqual(set);
  expect(Object.values(OfficeFactsChange.parse(factsOf(factsValues(undefined)))).every((fact) => fact === undefined)).toBe(true);
});

test("a list has one item per line, and a text is one line however it was typed", () => {
  const typed = {
    ...factsValues(undefined),
    insurance: " Aetna \n\n Blue  Cross\n",
    parking: "In the lot\nbehind us ",
    selfPayPrices: "\n",
  };
  expect(factsOf(typed)).toMatchObject({ insurance: ["Aetna", "Blue Cross"], parking: "In the lot behind us", selfPayPrices: [] });
});
