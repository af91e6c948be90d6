import type { Language } from "@vitaline/contract";
import { wordGroups } from "./word-groups.ts";

/** Words that turn a sentence around, so that no phrase reaches across them. */
const turns = "no|not|never|dont|doesnt|didnt|isnt|wasnt|hasnt|havent|without|denies|but|nunca|sin|pero|niega|\\.";
const gap = `(?: (?!(?:${turns})(?= |$))\\S+){0,4}?`;
/** Parts joined by `&` are at most this far apart. */
export const nearCharacters = 150;

/** Words of three letters and more also stand for their plural, and for he, she and it: "lip" is also "lips", "faint" also "faints". */
const hasPlural = (word: string): boolean => /^[a-z]{2,}[a-rt-z]$/.test(word);
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

/** Prefixes are found by their first letters. */
const prefixLetters = 3;

function add<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}

/** Values by the first words of alternatives. Read at the first call of an instance, so each alternative costs one look-up. */
class FirstWords<Value> {
  readonly #byWord = new Map<string, Value[]>();
  readonly #byPrefix = new Map<string, { prefix: string; value: Value }[]>();

  /** `onGroup` gets the groups among the alternatives. */
  add(alternatives: string, value: Value, onGroup?: (group: string) => void): void {
    for (const words of alternatives.split("|")) {
      const space = words.indexOf(" ");
      const first = space < 0 ? words : words.slice(0, space);
      if (first.endsWith("*"))
        add(this.#byPrefix, first.slice(0, Math.min(prefixLetters, first.length - 1)), { prefix: first.slice(0, -1), value });
      else if (first.startsWith("<")) onGroup?.(first.slice(1, -1));
      else add(this.#byWord, first.endsWith("?") ? first.slice(0, -1) : first, value);
    }
  }

  /** Those of the word, of the word that it is the plural of, and of its beginnings. */
  *of(word: string): Iterable<Value> {
    yield* this.#byWord.get(word) ?? [];
    const singular = word.slice(0, -1);
    if (word.endsWith("s") && hasPlural(singular)) yield* this.#byWord.get(singular) ?? [];
    for (let letters = 1; letters <= prefixLetters; letters++)
      for (const { prefix, value } of this.#byPrefix.get(word.slice(0, letters)) ?? []) if (word.startsWith(prefix)) yield value;
  }
}

const nameOf = (language: string, group: string): string => `${language} ${group}`;

/** The groups whose words begin with a word. */
function indexGroups(): FirstWords<string> {
  const groups = new FirstWords<string>();
  for (const [language, ofLanguage] of Object.entries(wordGroups))
    for (const [group, alternatives] of Object.entries(ofLanguage)) groups.add(alternatives, nameOf(language, group));
  return groups;
}
let groupIndex: FirstWords<string> | undefined;

/** Of many items, those that may occur in a text: one of the words with which their part begins is there. */
export function indexBy<Item>(items: readonly Item[], partOf: (item: Item) => Part): (words: ReadonlySet<string>) => Set<Item> {
  const groups = (groupIndex ??= indexGroups());
  const byWord = new FirstWords<Item>();
  const byGroup = new Map<string, Item[]>();
  for (const item of items) {
    const { language, starts } = partOf(item);
    byWord.add(starts, item, (group) => add(byGroup, nameOf(language, group), item));
  }
  return (words) => {
    const found = new Set<Item>();
    for (const word of words) {
      for (const item of byWord.of(word)) found.add(item);
      for (const group of groups.of(word)) for (const item of byGroup.get(group) ?? []) found.add(item);
    }
    return found;
  };
}
