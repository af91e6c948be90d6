import { dayIn } from "@vitaline/core";
import type { CodeableConcept, HumanName } from "fhir/r4.js";

/** "Dr. Ada Byron". */
export const displayName = (names: HumanName[] = []): string | undefined => {
  const { prefix = [], given = [], family, text } = names.find(({ use }) => use === "official") ?? names[0] ?? {};
  return spokenLine(family === undefined ? text : [prefix[0], given[0], family].filter(Boolean).join(" "));
};

const maxLineLength = 160;
const maxNameLength = 120;

/** Tags, URLs and template brackets; not "<5" or "[Mass/volume]". */
const markup = /<[/!]?[a-z][^<>]*>?|\b[a-z]{2,10}:\/\/\S*|\bwww\.\S*|[{}`]+/giu;
/** Instructions to a model in place of a name. */
const instruction =
  /^\W*(?:system|assistant|developer|user)\s*:|\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|prompts?|rules|above|previous|prior)\b|\b(?:system prompt|you are now|as an ai)\b/iu;

const singleLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
const truncate = (line: string, most: number): string => (line.length <= most ? line : line.slice(0, most).replace(/\s+\S*$/u, "")).trim();

/** Record text as one line without markup; undefined if empty. Record text is data: it is never treated as instructions. */
export const spokenLine = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : truncate(singleLine(singleLine(text).replace(markup, " ")), maxLineLength) || undefined;

/** Record text as one line where a lost word could harm; undefined if any would be lost. */
export function uncutLine(text: string | undefined): string | undefined {
  const line = singleLine(text ?? "");
  return line === "" || line.length > maxLineLength || line.search(markup) >= 0 ? undefined : line;
}

/** The semantic tag at the end of SNOMED CT fully specified names. */
const semanticTag =
  /\s*\((?:assessment scale|clinical drug|disorder|environment|event|finding|medicinal product|medicinal product form|morphologic abnormality|observable entity|organism|person|physical object|procedure|product|qualifier value|regime\/therapy|situation|specimen|substance)\)$/iu;

function clinicalName(text: string | undefined): string | undefined {
  const line = singleLine(text ?? "").replace(semanticTag, "");
  return line === "" || instruction.test(line) || line.search(markup) >= 0 ? undefined : truncate(line, maxNameLength);
}

/** The name of a concept; undefined if it has only codes or no plausible name. */
export function conceptText({ text, coding = [] }: CodeableConcept = {}): string | undefined {
  const displays = [...coding.filter(({ userSelected }) => userSelected), ...coding].map(({ display }) => display);
  return [text, ...displays].map(clinicalName).find((name) => name !== undefined);
}

/** The date part as recorded: "2026-10-03", "2026-10" or "2026". https://hl7.org/fhir/R4/datatypes.html#dateTime */
export function recordedDay(date: string | undefined, timeZone: string): string | undefined {
  if (date === undefined || Number.isNaN(Date.parse(date))) return undefined;
  return /^\d{4}(-\d{2}){0,2}$/.test(date) ? date : dayIn(timeZone, new Date(date));
}

/** Acronyms stay in capitals. */
export const lowerCaseWords = (text: string): string =>
  text.replace(/(?<![\p{L}\p{N}])\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase());
