import type { Language } from "@vitaline/contract";
import { type ErrorCode, errorCodes } from "@vitaline/core";
import type { OfficeState, Phrasing } from "../sdk/phrasing.ts";
import { errorSentence } from "../speech/sentences.ts";
import { phrasingOf } from "../speech/phrasing.ts";

/** A Wednesday in New York. */
const wednesday = new Date("2026-11-25T15:00:00Z");

export const phrasingIn = (
  language: Language,
  office: OfficeState = "reachable",
  now = wednesday,
  timeZone = "America/New_York",
): Phrasing => phrasingOf({ language, timeZone, now, office });

/** Says dates as dates, at any time of a test. */
export const plainPhrasing = (timeZone: string): Phrasing => phrasingIn("en", "reachable", new Date(0), timeZone);

const sentencesOf = (phrasing: Phrasing) =>
  Object.fromEntries(errorCodes.map((code) => [code, errorSentence(code, phrasing)])) as Record<ErrorCode, string>;

/** Of a call to an office that can take it. */
export const sentences = sentencesOf(phrasingIn("en"));

const states = ["reachable", "unstaffed", "closed", "unknown"] as const;

/** Whether or not the office can take the call, or is known. */
export const anySentencesFor = (code: ErrorCode): string[] => states.map((office) => errorSentence(code, phrasingIn("en", office)));
export const anySentences: readonly string[] = errorCodes.flatMap(anySentencesFor);
