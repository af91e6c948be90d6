import type { Language } from "@vitaline/contract";
import { errorCodes } from "@vitaline/core";
import { emergencyLines } from "../emergency/find-emergency.ts";
import type { EmergencyKind } from "../emergency/signs/sign.ts";
import type { Bilingual, Phrasing } from "../sdk/phrasing.ts";
import { callLines } from "../speech/call-lines.ts";
import { errorSentence, sentenceForOneMore } from "../speech/sentences.ts";
import { phrasingOf } from "../speech/phrasing.ts";
import { loadTools } from "../tools.ts";

/** `group`: a tool, or what several say. */
export type CatalogueEntry = { group: string; situation: string; inOwnWords?: true } & Bilingual;

/** The day of the examples. */
const now = new Date("2026-11-30T15:00:00Z");
/** Of an office that is known. */
const states = ["reachable", "unstaffed", "closed"] as const;
const phrasing = (language: Language, office: (typeof states)[number]): Phrasing =>
  phrasingOf({ language, timeZone: "America/New_York", now, office });

const situationsOf = (situation: string) => ({
  reachable: situation,
  unstaffed: `${situation}; no one can take the call`,
  closed: `${situation}; the office is closed`,
});

/** One entry, and more where it is said otherwise while no one can take the call or the office is closed. */
function entries(group: string, situation: string, say: (phrasing: Phrasing) => string): CatalogueEntry[] {
  const said = states.map((office) => ({
    group,
    situation: situationsOf(situation)[office],
    en: say(phrasing("en", office)),
    es: say(phrasing("es", office)),
  }));
  return said.filter(({ en, es }, at) => said.findIndex((one) => one.en === en && one.es === es) === at);
}

const emergencies = (Object.keys(emergencyLines) as EmergencyKind[]).flatMap((kind) =>
  entries("Emergencies", kind.replace("_", " "), ({ say }) => say(emergencyLines[kind])),
);

const onTheCall = Object.values(callLines).flatMap(({ situation, ...line }) => entries("On the call", situation, ({ say }) => say(line)));

/** "callbackNumber" → "callback number". */
const inWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Codes that are said alike. */
const codes = [...Map.groupBy(errorCodes, (code) => errorSentence(code, phrasing("en", "reachable"))).values()];

const failures = [
  ...codes.flatMap((alike) =>
    entries("When something fails", alike.join(", ").replaceAll("_", " "), (one) => errorSentence(alike[0] ?? "unavailable", one)),
  ),
  ...entries("When something fails", "one more detail is required", (one) =>
    sentenceForOneMore({ factors: ["phone"], isOutOfTries: false }, one),
  ),
  ...entries("When something fails", "one more detail is required, after the last try", (one) =>
    sentenceForOneMore({ factors: [], isOutOfTries: true }, one),
  ),
];

/** Every sentence that the tools and the voice platforms speak, in both languages. */
export const catalogue = async (): Promise<CatalogueEntry[]> => [
  ...emergencies,
  ...failures,
  ...onTheCall,
  ...Object.values(await loadTools()).flatMap((tool) => [
    ...tool.examples.flatMap(({ situation, output, inOwnWords }) =>
      entries(tool.name, situation, (one) => tool.speak(output, one)).map((entry) => ({ ...entry, ...(inOwnWords ? { inOwnWords } : {}) })),
    ),
    ...Object.entries(tool.questions).flatMap(([argument, question]) =>
      entries(tool.name, `To ask: ${inWords(argument)}`, ({ say }) => say(question)),
    ),
  ]),
];
