import type { Bilingual, Phrasing } from "../sdk/phrasing.ts";

/** Listeners do not remember more. */
export const maxSpoken = 3;

const words: Bilingual<Record<"and" | "or", (next: string) => string>> = {
  en: { and: () => "and", or: () => "or" },
  // Before the same vowel.
  es: {
    and: (next) => (/^h?i(?![ae])/iu.test(next) ? "e" : "y"),
    or: (next) => (/^(?:h?o|8|11\b)/iu.test(next) ? "u" : "o"),
  },
};
const moreOf: Bilingual<(count: number) => string> = { en: (count) => `${count} more`, es: (count) => `${count} más` };

/** "a", "a and b", "a, b and 4 more". Semicolons if an item has a comma. */
export const listIn =
  (language: Phrasing["language"]): Phrasing["list"] =>
  (all, { most = maxSpoken, more = 0, word = "and" } = {}) => {
    const left = Math.max(0, all.length - most) + more;
    const parts = [...all.slice(0, most), ...(left > 0 ? [moreOf[language](left)] : [])];
    const last = parts.at(-1) ?? "";
    if (parts.length < 2) return last;
    const mark = parts.some((one) => one.includes(",")) ? ";" : ",";
    return `${parts.slice(0, -1).join(`${mark} `)}${mark === ";" ? ";" : ""} ${words[language][word](last)} ${last}`;
  };

/** More cannot be followed at the speed of speech. */
export const maxWords = 30;

export const sentencesOf = (text: string): string[] => text.split(/(?<=[.?!])\s+(?=[\p{Lu}¿¡])/u).filter((one) => one !== "");
export const wordCount = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** Whether it can be followed. */
export const isShort = (text: string): boolean => sentencesOf(text).every((one) => wordCount(one) <= maxWords);

/** The text with as many items as can be followed, at most `most`. */
export function longestOf(most: number, say: (count: number) => string): string {
  for (let count = most; count > 1; count--) {
    const text = say(count);
    if (isShort(text)) return text;
  }
  return say(1);
}
