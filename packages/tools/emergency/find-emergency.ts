import type { Language } from "@vitaline/contract";
import { parseArguments } from "../sdk/arguments.ts";
import type { Bilingual } from "../sdk/phrasing.ts";
import { errorSentences } from "../speech/sentences.ts";
import { idioms } from "./idioms.ts";
import { indexBy, nearCharacters, type Part, partsOf } from "./phrases.ts";
import { dismissalOf, type Dismissed, type Found, isAccident, isAche } from "./scope.ts";
import { signs } from "./signs/index.ts";
import type { EmergencyKind } from "./signs/sign.ts";
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

/** With `exec`, as `matchAll` copies the expression each time, which takes longer than to try it. */
function hitsOf(text: string, parts: readonly GroupPart[]): Hit[] {
  const hits: Hit[] = [];
  for (const one of parts) {
    const expression = partOf(one).expression();
    expression.lastIndex = 0;
    for (let found = expression.exec(text); found?.[0]; found = expression.exec(text))
      hits.push({ ...one, start: found.index, end: found.index + found[0].length });
  }
  return hits;
}

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

/** Said alone: nothing is asked or offered after it. */
export const emergencyLines: Readonly<Record<EmergencyKind, Bilingual>> = {
  medical: errorSentences.emergency,
  self_harm: {
    en: "If you might hurt yourself or someone else, please hang up and call 911, or call or text 988 at any time.",
    es: "Si podría hacerse daño o hacerle daño a alguien, por favor cuelgue y llame al 911, o al 988 y oprima el 2, a cualquier hora.",
  },
  poisoning: {
    en: "Please hang up and call Poison Control at 1-800-222-1222 right now, or 911 if anyone has passed out, has a seizure or can't breathe.",
    es: "Por favor cuelgue y llame ya a Control de Envenenamientos, 1-800-222-1222, o al 911 si alguien se desmayó, convulsiona o no puede respirar.",
  },
};

const maxTextLength = 10_000;
const maxDepth = 200;

const isNo = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === 0 ||
  (typeof value === "string" && /^\s*(?:|no|none|false|never|n\/a|nil|unknown|ninguno|ninguna|nunca)\s*$/i.test(value)) ||
  (Array.isArray(value) && value.length === 0);

/** "chestPain", "chest_pain" → "chest pain". */
const wordsOfKey = (key: string): string => key.replace(/(?<=[a-z])(?=[A-Z])/g, " ").replace(/[_-]+/g, " ");

const isOfName = (key: string): boolean =>
  /^(?:(?:first|last|middle|full|given|family|maiden|preferred|caller|patient|doctor|provider|pharmacy|clinic|office|member|subscriber)?_?names?|nombres?|apellidos?|(?:street|email)?_?address|street|city|email|doctor|provider|practitioner|pharmacy|id)$|[a-z_]I[dD]$|_id$/i.test(
    key,
  );
const isOfNumber = (key: string): boolean => /mrn|recordnumber|zip|postal|code|phone|number|ext$/i.test(key.replaceAll("_", ""));
/** "No, just a routine visit" beside a key such as "emergency". */
const isDenied = (value: unknown): boolean =>
  typeof value === "string" && /^\s*(?:n|no|none|not|denies|denied|negative|routine|low|normal|nada|niega|ninguno|ninguna)\b/i.test(value);
const isOneWord = (value: string): boolean => !/\S\s+\S/.test(value.trim());

/** Short neighboring fields, such as a part of the body and what is wrong with it, are also read joined together. */
const isShort = (value: unknown): value is string => typeof value === "string" && value.trim().split(/\s+/).length <= 3;

function textsOf(args: unknown): string[] {
  const texts: string[] = [];
  const collect = (value: unknown, key: string, depth: number): void => {
    if (depth > maxDepth || isNo(value)) return;
    if (typeof value === "string") {
      if (isOfNumber(key) && /^[\s\d-]+$/.test(value)) return;
      if (!isOfName(key) || !isOneWord(value)) texts.push(value);
    } else if (Array.isArray(value)) {
      for (const one of value) collect(one, key, depth + 1);
      if (value.length > 1 && value.every(isShort)) texts.push(value.join(" "));
    } else if (typeof value === "object" && value !== null) {
      const fields = Object.entries(value);
      for (const [name, one] of fields) {
        if (!isNo(one) && !isDenied(one)) texts.push(wordsOfKey(name));
        collect(one, name, depth + 1);
      }
      const short = fields.filter(([name, one]) => isShort(one) && !isOfName(name)).map(([, one]) => String(one));
      if (short.length > 1) texts.push(short.join(" "));
    }
  };
  collect(args, "", 0);
  return texts;
}

/** Whether the arguments of a tool call tell of an emergency, of any tool and also where they do not fit it or are no JSON. */
export function emergencyInArguments(args: unknown): Emergency | undefined {
  const texts = textsOf(parseArguments(args) ?? args);
  if (texts.some((text) => /^\s*(?:emergency|emergencia|urgencia|911|988)\s*$/i.test(text))) return findEmergency("this is an emergency");
  return findEmergency(texts.join(" . ").slice(0, maxTextLength));
}

export const emergencyLineFor = (args: unknown): string | undefined => {
  const emergency = emergencyInArguments(args);
  return emergency && lineOf(emergency);
};

/** The sentence to say, and nothing else, when the arguments tell of an emergency. */
export const lineOf = ({ language, kind }: Emergency): string => emergencyLines[kind][language];
