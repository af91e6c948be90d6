import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { emergencyLineFor, findEmergency, lineOf } from "./find-emergency.ts";
import { wordGroups } from "./word-groups.ts";
import { signs } from "./signs/index.ts";
import { idioms } from "./idioms.ts";

const corpus = readFileSync(new URL("../../../test/emergencies.tsv", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .slice(1)
  .map((line) => {
    const [expected = "", language = "", words = ""] = line.split("\t");
    return { expected, language, words, found: findEmergency(words) };
  });
const emergencies = corpus.filter(({ expected }) => expected !== "none");
const others = corpus.filter(({ expected }) => expected === "none");
const spanish = (rows: typeof corpus) => rows.filter(({ language }) => language === "es");

describe("the corpus of emergencies", () => {
  it("V01: has 300 emergencies and 200 other phrases, and each of them in Spanish for a good part", () => {
    expect(emergencies.length).toBeGreaterThanOrEqual(300);
    expect(others.length).toBeGreaterThanOrEqual(200);
    expect(spanish(emergencies).length).toBeGreaterThanOrEqual(100);
    expect(spanish(others).length).toBeGreaterThanOrEqual(67);
    expect(new Set(corpus.map(({ words }) => words)).size).toBe(corpus.length);
  });

  it("V01: is told apart: every emergency is heard, and at least 95 of 100 phrases heard are emergencies", () => {
    expect(emergencies.filter(({ found }) => !found).map(({ words }) => words)).toEqual([]);
    const wrong = others.filter(({ found }) => found).map(({ words }) => words);
    const precision = emergencies.length / (emergencies.length + wrong.length);
    expect(precision, `Heard as emergencies: ${wrong.join("; ")}`).toBeGreaterThanOrEqual(0.95);
  });

  it("V01: is answered in the caller's language with 911, and with 988 or poison control where they help", () => {
    const numbers: Record<string, RegExp> = { medical: /911/, self_harm: /911.+988/, poisoning: /1-800-222-1222.+911/ };
    const wrong = emergencies.filter(({ expected, language, found }) => {
      const line = found ? lineOf(found) : "";
      return !numbers[expected]?.test(line) || /favor/.test(line) !== (language === "es");
    });
    expect(wrong.map(({ expected, words }) => `${expected}: ${words}`)).toEqual([]);
    for (const { words, found } of corpus.slice(0, 100)) expect(emergencyLineFor({ words })).toBe(found && lineOf(found));
  });
});

describe("the table of signs", () => {
  it("is written as text is read: lower case, without accents and apostrophes, and every group and word of it exists", () => {
    const phrases = [
      ...signs.flatMap(({ en, es }) => [...en, ...es]),
      ...Object.values(idioms).flat(),
      ...Object.values(wordGroups).flatMap((groups) => Object.values(groups)),
    ];
    for (const phrase of phrases) expect(phrase).toMatch(/^[a-z0-9<>|*?&+. _]+$/);
    for (const language of ["en", "es"] as const)
      for (const phrase of [...signs.flatMap((sign) => sign[language]), ...idioms[language]])
        for (const [, group = ""] of phrase.matchAll(/<(\w+)>/g)) expect(Object.keys(wordGroups[language])).toContain(group);
  });

  it("hears each of its phrases in its own language", () => {
    for (const { sign, en, es } of signs) expect([sign, en.length > 0, es.length > 0]).toEqual([sign, true, true]);
  });
});
