import type { Language } from "@vitaline/contract";
import { type ErrorCode, errorCodes } from "@vitaline/core";
import type { OfficeState, Phrasing } from "../sdk/voice.ts";
import { errorSentence } from "../speech/sentences.ts";
import { voiceOf } from "../speech/voice.ts";

/** A Wednesday in New York. */
const wednesday = new Date("2026-11-25T15:00:00Z");

export const voiceIn = (language: Language, office: OfficeState = "reachable", now = wednesday, timeZone = "America/New_York"): Phrasing =>
  voiceOf({ language, timeZone, now, office });

/** Says dates as dates, at any time of a test. */
export const plainVoice = (timeZone: string): Phrasing => voiceIn("en", "reachable", new Date(0), timeZone);

const sentencesOf = (voice: Phrasing) =>
  Object.fromEntries(errorCodes.map((code) => [code, errorSentence(code, voice)])) as Record<ErrorCode, string>;

/** Of a call to an office that can take it. */
export const sentences = sentencesOf(voiceIn("en"));

const states = ["reachable", "unstaffed", "closed", "unknown"] as const;

/** Whether or not the office can take the call, or is known. */
export const anySentencesFor = (code: ErrorCode): string[] => states.map((office) => errorSentence(code, voiceIn("en", office)));
export const anySentences: readonly string[] = errorCodes.flatMap(anySentencesFor);
