import type { Language } from "@vitaline/contract";
import { wordGroups } from "./word-groups.ts";

/** Words that turn a sentence around, so that no phrase reaches across them. */
const turns = "no|not|never|dont|doesnt|didnt|isnt|wasnt|hasnt|havent|without|denies|but|nunca|sin|pero|niega|\\.";
const gap = `(?: (?!(?:${turns})(?= |$))\\S+){0,4}?`;
/** Parts joined by `&` are at most this far apart. */
export const nearCharacters = 150;

/** Words of three letters and more also stand for their plural, and for he, she and it: "lip" is also "lips", "faint" also "faints". */
export const hasPlural = (word: string): boolean => /^[a-z]{2,}[a-rt-z]$/.test(word);
const escapeWord = (word: string): string => word.replace(/[^\w*?]/g, "").replace("*", "\\S*");
const wordOf = (word: string, language: Language): string => {
  const group = /^<(\w+)>$/.exec(word)?.[1];
  if (group === undefined)
    return word.endsWith("?")
      ? `(?: ${escapeWord(word.slice(0, -1))}${hasPlural(word.slice(0, -1)) ? "s?" : ""}(?= |$))?`
      : ` ${escapeWord(word)}${hasPlural(word) ? "s?" : ""}(?= |$)`;
  const words = wordGroups[language][group];
  if (words === undefined) throw new Error(`There is no word group ${group} in ${language}`);
  return placeOf(words, language);
};
const placeOf = (place: string, language: Language): string =>
  `(?:${place
    .split("|")
    .map((words) =>
      words
        .split(" ")
        .map((word) => wordOf(word, language))
        .join(""),
    )
    .join("|")})`;

const isOptional = (place: string): boolean => place.endsWith("?") && !place.includes("|");

/** `starts`: the alternatives with which it can begin, each of a word or more, joined by "|". */
export type Part = { language: Language; starts: string; expression(): RegExp };

const endOfPlace = / (?:\+|\.\.) /;
function startsOf(part: string): string {
  const [first = "", ...others] = part.split(endOfPlace, 2);
  if (!isOptional(first) || others.length === 0) return first;
  const places = part.split(endOfPlace);
  return places.slice(0, places.findIndex((place) => !isOptional(place)) + 1).join("|");
}

const expressionOf = (part: string, language: Language): RegExp =>
  new RegExp(
    part
      .split(" .. ")
      .map((row) =>
        row
          .split(" + ")
          .map((place) => placeOf(place, language))
          .join(""),
      )
      .join(gap),
    "g",
  );

/** The parts of a phrase, for text of `plainText`; all of them must be there. An expression is made when it is first needed. */
export const partsOf = (phrase: string, language: Language): Part[] =>
  phrase.split(" & ").map((part) => {
    let made: RegExp | undefined;
    return { language, starts: startsOf(part), expression: () => (made ??= expressionOf(part, language)) };
  });
