import { correctSpelling } from "./spelling.ts";

/** Contractions that speech recognition writes as two words. */
const split = /\b(can|don|won|isn|doesn|didn|couldn|wasn|hasn|haven|aren|ain) t\b/g;

/**
 * Words in lower case, each after one space, without accents, apostrophes and hyphens and with common misspellings corrected.
 * "." stands for the end of a sentence, "," for a comma.
 */
export const plainText = (text: string): string => {
  const bare = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/['’‘`´]/g, "")
    .replace(/\b(dr|dra|mr|mrs|ms|sr|sra|srta|st)\./g, "$1 ")
    .replace(/(\d)[.,](?=\d)/g, "$1")
    .replace(/[.!?;:\n\r¡¿|]+/g, " . ")
    .replace(/,/g, " , ")
    .replace(/[^\p{L}\p{N}.,]+/gu, " ")
    .replace(split, "$1t")
    .replace(/\b(some|any|every|no)(?:body| one)\b/g, "$1one")
    .trim();
  if (bare === "") return "";
  return ` ${bare.split(" ").map(correctSpelling).join(" ")}`;
};
