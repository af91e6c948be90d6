import { normalName } from "../speech/names.ts";

const titles = new Set(["dr", "doctor", "doc", "md", "do", "nurse", "professor", "prof", "mr", "mrs", "ms", "miss"]);

/** The words of a name that were said, without titles. */
const wordsOf = (said: string): string[] =>
  normalName(said)
    .split(" ")
    .filter((word) => word !== "" && !titles.has(word));

const searchLetters = 3;
/** With what a server is asked for a name: the beginning of its first word, as it is written with apostrophes; "" for a title alone. */
export function searchWord(said: string): string {
  const words = said.normalize("NFC").split(/[^\p{L}\p{M}'’]+/u);
  const first = words.find((word) => wordsOf(word).length > 0) ?? "";
  return /^\p{L}[\p{L}\p{M}]{0,2}/u.exec(first)?.[0].slice(0, searchLetters) ?? "";
}

/** Every word that was said begins a word of the name, or all of them stand in it together: "Lark Mere" is "Larkmere". */
export function isNamed(name: string, said: string): boolean {
  const wanted = wordsOf(said);
  const words = wordsOf(name);
  if (wanted.length === 0) return false;
  return wanted.every((word) => words.some((known) => known.startsWith(word))) || words.join("").includes(wanted.join(""));
}

const places = new Set(["clinic", "office", "center", "hospital", "the", "in", "at", "location"]);

/** Whether a place (a name or a town) is the one that was said: "the north clinic", "Mockford". */
export function isPlace(place: string, said: string): boolean {
  const wanted = normalName(said)
    .split(" ")
    .filter((word) => word !== "" && !places.has(word));
  const words = normalName(place).split(" ");
  return wanted.every((word) => words.some((known) => known.startsWith(word)));
}
