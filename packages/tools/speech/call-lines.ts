import type { Language } from "@vitaline/contract";
import type { ToolAnswer } from "../sdk/run.ts";
import type { Bilingual } from "../sdk/phrasing.ts";
import { standardPhrasing } from "./phrasing.ts";

const notConnected: Bilingual = { en: "I can't put you through at the moment.", es: "En este momento no puedo comunicarle." };
/** For a caller whose name the office does not have. */
export const askForCallback: Bilingual = {
  en: "May I have your name and number, so that the office can call you back?",
  es: "¿Me da su nombre y número para que el consultorio le devuelva la llamada?",
};

/** What callers hear from their voice platform where no tool answers. */
export const callLines = {
  goodbye: { situation: "The call is ended", en: "Goodbye.", es: "Hasta luego." },
  hangUpYourself: {
    situation: "The call cannot be ended",
    en: "Thank you for calling. You can hang up now.",
    es: "Gracias por llamar. Ya puede colgar.",
  },
  notPutThrough: {
    situation: "The call could not be put through",
    en: `${notConnected.en} ${askForCallback.en}`,
    es: `${notConnected.es} ${askForCallback.es}`,
  },
  notPutThroughNoted: {
    situation: "The call could not be put through; the name is noted",
    en: `${notConnected.en} The office has your name and how to reach you.`,
    es: `${notConnected.es} El consultorio ya tiene su nombre y cómo contactarle.`,
  },
  noTransfer: { situation: "A transfer of a call that is not known", ...notConnected },
  unknownCall: {
    situation: "The platform does not say which call it is",
    en: "I can't tell which call this is, so I can't do that right now.",
    es: "No puedo identificar esta llamada, así que en este momento no puedo hacer eso.",
  },
  tooMany: {
    situation: "The agent asks for too much at once",
    en: "That was too much at once. Let's take one thing at a time.",
    es: "Fueron demasiadas cosas a la vez. Vayamos por partes, por favor.",
  },
  unanswered: { situation: "There is no answer", en: "I couldn't do that right now.", es: "En este momento no pude hacer eso." },
  notSetUp: {
    situation: "The called number has no agent",
    en: "This number is not set up for the assistant yet. Please call the office directly.",
    es: "Este número todavía no está configurado para el asistente. Por favor llame directamente al consultorio.",
  },
} as const satisfies Record<string, Bilingual & { situation: string }>;

export type CallLine = keyof typeof callLines;

export const callLine = (line: CallLine, language?: Language): string => standardPhrasing(language).say(callLines[line]);

/** For a caller whose language no one can know yet. */
export const inBothLanguages = (line: CallLine): string => `${callLines[line].en} ${callLines[line].es}`;

export const fallbackAnswer = (language?: Language): ToolAnswer => ({ ok: false, speech: callLine("unanswered", language) });
