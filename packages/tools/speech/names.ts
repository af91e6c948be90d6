import type { HumanName } from "fhir/r4.js";
import { lineOf } from "./speech-text.ts";

/** Letters that Unicode does not take apart into a letter and its mark. */
const asSaid: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", ł: "l", þ: "th", ı: "i" };

/** A name as it sounds: lower case, without marks, apostrophes or punctuation; a hyphen is a space. "" when nothing is left. */
export const normalName = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[ßæœøđðłþı]/gu, (letter) => asSaid[letter] ?? letter)
    .replace(/['’‘ʼ`´]/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** A family name without its spaces: whoever hears "O Brien" or "De La Cruz" writes it in one word or in more. */
export const familyName = (name: string): string => normalName(name).replaceAll(" ", "");

/** The name somebody goes by: middle names and initials are said or left out as one likes. */
export const firstGiven = (given: string): string => normalName(given).split(" ")[0] ?? "";

/** Words of family names that are no names by themselves. */
const particles = new Set(
  "al ap bin da das de degli dei del della den der di do dos du el ibn la las le los mac mc san st ten ter van vom von y zu zum zur".split(
    " ",
  ),
);
const shortestName = 2;

/** The forms in which a family name is said: whole, or its first or last surname alone. Three at most, as each form of a claim is counted. */
export const familyForms = (family: string): string[] => {
  const words = normalName(family).split(" ");
  const names = words.length > 1 ? words.filter((word) => word.length >= shortestName && !particles.has(word)) : [];
  return [...new Set([words.join(""), ...names.slice(0, 1), ...names.slice(-1)])];
};

/** The forms in which a given name is said: the first one alone, or all in one word, as "Jeanluc" for Jean-Luc. */
export const givenForms = (given: string): string[] => [...new Set([firstGiven(given), familyName(given)])];

/** What somebody is called, with the title: "Dr. Ada Byron". */
export const nameIn = (names: HumanName[] = []): string | undefined => {
  const { prefix = [], given = [], family, text } = names.find(({ use }) => use === "official") ?? names[0] ?? {};
  return lineOf(family === undefined ? text : [prefix[0], given[0], family].filter(Boolean).join(" "));
};

/** A title as it is said: "Doctor Larkmere". */
export const saidName = (name: string): string => name.replace(/^Dr\b\.?\s*/i, "Doctor ");
