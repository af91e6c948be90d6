import type { Language } from "@vitaline/contract";
import { idioms } from "./idioms.ts";
import { nearCharacters, type Part, partsOf } from "./phrases.ts";
import { indexBy } from "./phrase-index.ts";
import { dismissalOf, type Dismissed, type Found, isAccident, isAche } from "./scope.ts";
import type { EmergencyKind } from "./signs/sign.ts";
import { signs } from "./signs/index.ts";
import { correctSpelling } from "./spelling.ts";

/** Contractions that speech recognition writes as two words. */
const split = /\b(can|don|won|isn|doesn|didn|couldn|wasn|hasn|haven|aren|ain) t\b/g;

/**
 * Words in lower case, each after one space, without accents, apostrophes and hyphens and with common misspellings corrected.
 * "." stands for the end of a sentence, "," for a comma.
 */
const plainText = (text: string): string => {
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

export type Emergency = { kind: EmergencyKind; language: Language };

const languages = ["en", "es"] as const;

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Made for the first text. */
function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

const idiomsIn = once(() =>
  indexBy(
    languages.flatMap((language) => idioms[language].flatMap((idiom) => partsOf(idiom, language))),
    (part) => part,
  ),
);

const withoutIdioms = (text: string): string =>
  [...idiomsIn()(wordsOf(text))].reduce((rest, idiom) => rest.replace(idiom.expression(), " ,"), text);

type Group = { kind: EmergencyKind; language: Language; parts: readonly Part[] };
type GroupPart = { group: Group; part: number };

const partOf = ({ group, part }: GroupPart): Part => group.parts[part] as Part;

const groupsOfSigns = (): Group[] =>
  languages.flatMap((language) =>
    signs.flatMap(({ kind, ...sign }) => sign[language].map((phrase) => ({ kind, language, parts: partsOf(phrase, language) }))),
  );
const partsIn = once(() =>
  indexBy(
    groupsOfSigns().flatMap((group) => group.parts.map((_, part) => ({ group, part }))),
    partOf,
  ),
);

type Hit = Found & GroupPart;

const hitsOf = (text: string, parts: readonly GroupPart[]): Hit[] =>
  parts.flatMap((one) =>
    [...text.matchAll(partOf(one).expression())].map(({ 0: words, index }) => ({ ...one, start: index, end: index + words.length })),
  );

/** Of the groups that may be whole. */
function partsOfWholeGroups(parts: readonly GroupPart[]): GroupPart[] {
  const found = Map.groupBy(parts, ({ group }) => group);
  return parts.filter(({ group }) => found.get(group)?.length === group.parts.length);
}

/** Without those that are negated, of another time, or part of a name or service. */
function countingHits(text: string, hits: readonly Hit[]): Hit[] {
  const dismissed: Dismissed[] = [];
  return hits
    .filter(
      ({ group, start, end }) =>
        group.kind !== "self_harm" || !(isAccident(text.slice(end)) || isAche(text.slice(0, start), text.slice(start, end))),
    )
    .toSorted((one, other) => one.start - other.start || one.end - other.end)
    .filter((hit) => {
      const why = dismissalOf(
        text,
        { ...hit, kind: hit.group.kind },
        dismissed.findLast(({ end }) => end <= hit.start),
      );
      if (why) dismissed.push({ start: hit.start, end: hit.end, why });
      return why === undefined;
    });
}

const isNear = (one: Found, other: Found): boolean => Math.max(one.start, other.start) - Math.min(one.end, other.end) <= nearCharacters;

const isWhole = (hits: readonly Hit[], group: Group): boolean =>
  group.parts.length === 1 ||
  hits.some(
    (first) =>
      first.part === 0 && group.parts.every((_one, part) => part === 0 || hits.some((hit) => hit.part === part && isNear(first, hit))),
  );

const wholeGroups = (hits: readonly Hit[]): Group[] =>
  [...Map.groupBy(hits, ({ group }) => group)].filter(([group, ofGroup]) => isWhole(ofGroup, group)).map(([group]) => group);

/** The first of them that was found decides what the caller is told. */
const order: readonly EmergencyKind[] = ["self_harm", "medical", "poisoning"];

const spanishWords =
  /(?<= )(?:el|la|los|las|un|una|de|del|mi|su|se|le|que|y|en|esta|estoy|tengo|tiene|por|con|muy|al|lo|quiero|puede|ya)(?= |$)/g;
const englishWords =
  /(?<= )(?:the|a|an|my|his|her|is|im|i|he|she|it|and|of|to|in|on|have|has|was|are|cant|not|dont|up|with|that|so|be|we|out)(?= |$)/g;
const countOf = (words: RegExp, text: string): number => [...text.matchAll(words)].length;

/** Of the sentence, or of most signs if it has too few small words. */
function languageOf(text: string, found: readonly Group[]): Language {
  const balance = countOf(spanishWords, text) - countOf(englishWords, text);
  if (balance !== 0) return balance > 0 ? "es" : "en";
  return found.filter(({ language }) => language === "es").length > found.length / 2 ? "es" : "en";
}

/** The emergency that a text tells of, in the language in which it does; undefined if it tells of none. */
export function findEmergency(said: string): Emergency | undefined {
  const text = withoutIdioms(plainText(said));
  const parts = [...partsIn()(wordsOf(text))];
  // Most texts have no whole sign, and then the rest of the text needs no reading.
  if (wholeGroups(hitsOf(text, partsOfWholeGroups(parts))).length === 0) return undefined;
  const found = wholeGroups(countingHits(text, hitsOf(text, parts)));
  const kind = order.find((one) => found.some((group) => group.kind === one));
  if (kind === undefined) return undefined;
  return { kind, language: languageOf(text, found) };
}
