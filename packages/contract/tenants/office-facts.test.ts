import { expect, test } from "vitest";
import { OfficeFactsChange } from "./office-facts.ts";

const parsed = (facts: object) => OfficeFactsChange.safeParse(facts);

test("blank texts and empty lists are absent, and others are trimmed", () => {
  const blank = { directions: "", parking: null, insurance: [], languages: null, holidays: [], questions: null };
  expect(Object.values(parsed(blank).data ?? { one: 1 }).filter((fact) => fact !== undefined)).toEqual([]);
  expect(parsed({ parking: " In the lot ", insurance: [" Aetna "] }).data).toMatchObject({ parking: "In the lot", insurance: ["Aetna"] });
});

test("a fact is refused that a voice agent could not say whole, or not say at all", () => {
  const day = { date: "2026-12-25", name: "Christmas Day" };
  const wrong = [
    { parking: "x".repeat(401) },
    { parking: "one\ntwo" },
    { insurance: [""] },
    { insurance: ["x".repeat(81)] },
    { insurance: Array.from({ length: 25 }, (_, at) => `Plan ${at}`) },
    { insurance: Array.from({ length: 10 }, () => "x".repeat(61)) },
    { holidays: [{ ...day, date: "12/25/2026" }] },
    { holidays: [day, { ...day, name: "Christmas again" }] },
    { questions: [{ question: "Why?", answer: "" }] },
    { questions: Array.from({ length: 13 }, (_, at) => ({ question: `Why ${at}?`, answer: "Because." })) },
    { anything: "else" },
  ];
  for (const facts of wrong) expect([facts, parsed(facts).success]).toEqual([facts, false]);
  expect(parsed({ holidays: [day], questions: [{ question: "Why?", answer: "Because." }] }).success).toBe(true);
});
