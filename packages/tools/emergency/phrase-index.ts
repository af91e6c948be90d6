import { hasPlural, type Part } from "./phrases.ts";
import { wordGroups } from "./word-groups.ts";

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
