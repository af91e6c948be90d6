import type { CodeableConcept } from "fhir/r4.js";
import { dayIn } from "./spoken-time.ts";

const longest = 160;
const longestName = 120;

/** Tags, addresses of the web, and the brackets of templates and code; "<5" and "[Mass/volume]" are none. */
const markup = /<[/!]?[a-z][^<>]*>?|\b[a-z]{2,10}:\/\/\S*|\bwww\.\S*|[{}`]+/giu;
/** Words to whoever reads it out, in the place of what something is called. */
const instruction =
  /^\W*(?:system|assistant|developer|user)\s*:|\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|prompts?|rules|above|previous|prior)\b|\b(?:system prompt|you are now|as an ai)\b/iu;

const oneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
/** At the end of a word. */
const shortened = (line: string, most: number): string => (line.length <= most ? line : line.slice(0, most).replace(/\s+\S*$/u, "")).trim();

/** A text of a record as one line of bearable length, without markup; undefined for none. Whatever it says is data, to be told and not to be obeyed. */
export const lineOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : shortened(oneLine(oneLine(text).replace(markup, " ")), longest) || undefined;

/** What kind of concept a name is of, at the end of SNOMED CT's fully specified names; nobody says it. */
const semanticTag =
  /\s*\((?:assessment scale|clinical drug|disorder|environment|event|finding|medicinal product|medicinal product form|morphologic abnormality|observable entity|organism|person|physical object|procedure|product|qualifier value|regime\/therapy|situation|specimen|substance)\)$/iu;

/** What could be a name of something clinical: not what is written for a machine, or tells the reader what to do. */
function nameIn(text: string | undefined): string | undefined {
  const line = oneLine(text ?? "").replace(semanticTag, "");
  return line === "" || instruction.test(line) || line.search(markup) >= 0 ? undefined : shortened(line, longestName);
}

/** What a concept is called in words; undefined when there are only codes, or no text that is a plausible name. */
export function conceptText({ text, coding = [] }: CodeableConcept = {}): string | undefined {
  const displays = [...coding.filter(({ userSelected }) => userSelected), ...coding].map(({ display }) => display);
  return [text, ...displays].map(nameIn).find((name) => name !== undefined);
}

/** The day of a FHIR date or instant as it is there, no more exact than the record: "2026-10-03", "2026-10" or "2026". https://hl7.org/fhir/R4/datatypes.html#dateTime */
export function dayOf(date: string | undefined, timeZone: string): string | undefined {
  if (date === undefined || Number.isNaN(Date.parse(date))) return undefined;
  return /^\d{4}(-\d{2}){0,2}$/.test(date) ? date : dayIn(timeZone, new Date(date));
}

/** "October 3, 2026", "October 2026" or "2026", of what `dayOf` gives. */
function sayDay(day: string): string {
  const [, month, date] = day.split("-");
  return new Intl.DateTimeFormat("en-US", {
    timeZone: "UTC",
    year: "numeric",
    ...(month ? { month: "long" } : {}),
    ...(date ? { day: "numeric" } : {}),
  }).format(new Date(day));
}

/** "on October 3, 2026", "in October 2026", "in 2026". */
export const sayWhen = (day: string): string => `${day.length === 10 ? "on" : "in"} ${sayDay(day)}`;

/** A voice that names more is not listened to. */
export const spokenAtOnce = 3;

/** "a", "a and b", "a, b and 4 more": at most `most` of them by name, and `more` that are not in the list; with semicolons where one has a comma of its own. */
export function inList(all: readonly string[], { most = spokenAtOnce, more = 0, word = "and" } = {}): string {
  const left = Math.max(0, all.length - most) + more;
  const parts = [...all.slice(0, most), ...(left > 0 ? [`${left} more`] : [])];
  const mark = parts.some((one) => one.includes(",")) ? ";" : ",";
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(`${mark} `)}${mark === ";" ? ";" : ""} ${word} ${parts.at(-1)}`;
}

/** Words within a sentence; what is written in capitals stays so. */
export const lowered = (text: string): string => text.replace(/(?<![\p{L}\p{N}])\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase());

/** As it is written: without signs that nobody sees, and with capitals where all was said in one case. */
export function tidy(text: string): string {
  const plain = text
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  if (plain.length < 3 || (plain !== plain.toLowerCase() && plain !== plain.toUpperCase())) return plain;
  return plain.toLowerCase().replace(/(^|[\s\-('’])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
}
