import type { HumanName, Patient } from "fhir/r4.js";

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

/** Given and family names of a chart, every one with every other: a nickname often stands without its family name, a maiden name without a given one. */
export const namesOf = ({ name = [] }: Patient): { firstName: string; lastName: string }[] => {
  const parts = name.map(partsOf);
  const families = parts.flatMap(({ lastName }) => (lastName === "" ? [] : [lastName]));
  const paired = parts.filter(({ firstName, lastName }) => firstName !== "" && lastName !== "");
  const all = parts.flatMap(({ firstName }) => (firstName === "" ? [] : families.map((lastName) => ({ firstName, lastName }))));
  return [...paired, ...all];
};

/** Source: FHIR R4, HumanName: the text may stand alone, with the family name before a comma, or last. */
const partsOf = ({ given = [], family = "", text = "" }: HumanName): { firstName: string; lastName: string } => {
  if (given.length > 0 || family !== "") return { firstName: given.join(" "), lastName: family };
  const [before = "", after] = text.split(",");
  if (after !== undefined) return { firstName: after.trim(), lastName: before.trim() };
  const [first = "", ...rest] = before.trim().split(/\s+/);
  return { firstName: first, lastName: rest.join(" ") };
};
