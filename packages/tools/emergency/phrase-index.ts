import type { Part } from "./phrases.ts";

/** Prefixes are found by their first letters. */
const prefixLetters = 3;

/** Of many items, those that may occur in a text: one of the words with which their part begins is there. */
export function indexBy<Item>(items: readonly Item[], partOf: (item: Item) => Part): (words: ReadonlySet<string>) => Set<Item> {
  const byWord = new Map<string, Item[]>();
  const byPrefix = new Map<string, { prefix: string; item: Item }[]>();
  const add = <Value>(map: Map<string, Value[]>, key: string, value: Value): void => {
    const values = map.get(key);
    if (values) values.push(value);
    else map.set(key, [value]);
  };
  for (const item of items)
    for (const start of new Set(partOf(item).starts)) {
      const prefix = start.slice(0, -1);
      if (start.endsWith("*")) add(byPrefix, prefix.slice(0, prefixLetters), { prefix, item });
      else add(byWord, start, item);
    }
  return (words) => {
    const found = new Set<Item>();
    for (const word of words) {
      for (const item of byWord.get(word) ?? []) found.add(item);
      for (let letters = 1; letters <= prefixLetters; letters++)
        for (const { prefix, item } of byPrefix.get(word.slice(0, letters)) ?? []) if (word.startsWith(prefix)) found.add(item);
    }
    return found;
  };
}
