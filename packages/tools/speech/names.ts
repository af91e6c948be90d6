import type { HumanName } from "fhir/r4.js";
import { spokenLine } from "./speech-text.ts";

/** "Dr. Ada Byron". */
export const displayName = (names: HumanName[] = []): string | undefined => {
  const { prefix = [], given = [], family, text } = names.find(({ use }) => use === "official") ?? names[0] ?? {};
  return spokenLine(family === undefined ? text : [prefix[0], given[0], family].filter(Boolean).join(" "));
};

/** "Dr. Larkmere" → "Doctor Larkmere". */
export const speakName = (name: string): string => name.replace(/^Dr\b\.?\s*/i, "Doctor ");
