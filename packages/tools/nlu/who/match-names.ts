import { normalizeName } from "../names.ts";

export const titleWords = new Set(
  "dr dra doctor doctora doc md do np pa nurse professor prof profesor profesora mr mrs ms miss senor senora".split(" "),
);

export const wordsWithoutTitles = (words: readonly string[]): string[] => words.filter((word) => word !== "" && !titleWords.has(word));

const wordsOf = (said: string): string[] => wordsWithoutTitles(normalizeName(said).split(" "));

const searchLetters = 3;
/** The search prefix for a spoken name, up to three letters with accents; "" if only a title was said. */
export function searchWord(said: string): string {
  const words = said.normalize("NFC").split(/[^\p{L}\p{M}'’]+/u);
  const first = words.find((word) => wordsOf(word).length > 0) ?? "";
  return /^\p{L}[\p{L}\p{M}]{0,2}/u.exec(first)?.[0].slice(0, searchLetters) ?? "";
}

/** Every spoken word starts a word of the name, or all of them joined occur in it: "Lark Mere" matches "Larkmere". */
export function matchesName(name: string, said: string): boolean {
  const wanted = wordsOf(said);
  const words = wordsOf(name);
  if (wanted.length === 0) return false;
  return wanted.every((word) => words.some((known) => known.startsWith(word))) || words.join("").includes(wanted.join(""));
}

const fillers = new Set(["with", "con", "el", "la"]);

/** Every spoken word starts a word of one of the texts: "cardio", "Doctor Larkmere". */
export const matchesSpoken = (texts: (string | undefined)[], said: string | undefined): boolean => {
  const words = texts.flatMap((text) => normalizeName(text ?? "").split(" "));
  const spokenWords = wordsOf(said ?? "").filter((word) => !fillers.has(word));
  return spokenWords.every((word) => words.some((known) => known.startsWith(word)));
};
