import { leadingNumber } from "../../nlu/numbers.ts";
import { normalizeName } from "../../nlu/names.ts";

/** Spellings of street types; callers may omit the type. */
const streetTypes: Record<string, string[]> = {
  street: ["street", "st"],
  avenue: ["avenue", "ave", "av"],
  road: ["road", "rd"],
  drive: ["drive", "dr"],
  lane: ["lane", "ln"],
  court: ["court", "ct"],
  boulevard: ["boulevard", "blvd"],
  place: ["place", "pl"],
  circle: ["circle", "cir"],
  terrace: ["terrace", "ter"],
  parkway: ["parkway", "pkwy"],
  highway: ["highway", "hwy"],
  square: ["square", "sq"],
  way: ["way"],
  trail: ["trail", "trl"],
};
const streetTypeOf = new Map(Object.entries(streetTypes).flatMap(([type, spellings]) => spellings.map((spelling) => [spelling, type])));

const longForms: Record<string, string> = {
  n: "north",
  s: "south",
  e: "east",
  w: "west",
  mt: "mount",
  first: "1st",
  second: "2nd",
  third: "3rd",
  fourth: "4th",
  fifth: "5th",
  sixth: "6th",
  seventh: "7th",
  eighth: "8th",
  ninth: "9th",
  tenth: "10th",
};
/** Words that follow the street. */
const units = new Set([
  "apt",
  "apartment",
  "unit",
  "suite",
  "ste",
  "floor",
  "fl",
  "room",
  "rm",
  "number",
  "no",
  "flat",
  "building",
  "bldg",
]);

/**
 * House number and street: "12 Oak St., Apt 4, Springfield" and "one two Oak" → "12 oak"; "" without both. The street type is ignored.
 */
export function addressKey(address: string): string {
  const parts = address.split(/[,;\n]/);
  const [number, ...rest] = splitNumber(parts.slice(0, parts.findIndex((part) => /\p{L}/u.test(part)) + 1).join(" "));
  const street: string[] = [];
  for (const word of rest) {
    if (units.has(word) || /^\d+$/.test(word)) break;
    if (street.length > 0 && streetTypeOf.has(word)) break;
    street.push(street.length === 0 && word === "st" ? "saint" : (longForms[word] ?? word));
  }
  return number && street.length > 0 ? `${number} ${street.join("")}` : "";
}

function splitNumber(part: string): string[] {
  const words = normalizeName(part).split(" ");
  const [, lettered, letter = ""] = /^(\d+)([a-z])$/.exec(words[0] ?? "") ?? [];
  const [digits, rest] = lettered ? [lettered, words.slice(1)] : leadingNumber(words);
  return digits === "" ? [] : [digits.replace(/^0+/, "") + letter, ...rest];
}
