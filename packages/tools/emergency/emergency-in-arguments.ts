import { parseArguments } from "../sdk/arguments.ts";
import type { Bilingual } from "../sdk/phrasing.ts";
import { errorSentences } from "../speech/sentences.ts";
import { type Emergency, findEmergency } from "./find-emergency.ts";
import type { EmergencyKind } from "./signs/sign.ts";

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

/** Words of a field each, such as a part of the body and what is wrong with it, are also read in one row. */
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
