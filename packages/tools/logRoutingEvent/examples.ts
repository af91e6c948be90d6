import { RoutingOutcome } from "@vitaline/contract";
import type { Example } from "../sdk/define-tool.ts";
import { contactQuestions, type Questions } from "../speech/questions.ts";
import type { Output } from "./schema.ts";

const aboutCall = { en: "What is your call about?", es: "¿De qué se trata su llamada?" };

export const questions = {
  reason: aboutCall,
  outcome: {
    en: "Would you like to speak with someone, or be called back?",
    es: "¿Desea hablar con alguien o que le devuelvan la llamada?",
  },
  destination: { en: "Who would you like to speak with?", es: "¿Con quién desea hablar?" },
  callerName: { en: "May I have your name, please?", es: "¿Me permite su nombre, por favor?" },
  callbackNumber: {
    en: "What's the best number to call you back, with the area code?",
    es: "¿A qué número le podemos devolver la llamada, con el código de área?",
  },
  email: contactQuestions.email,
  leadReason: aboutCall,
  note: { en: "What should I note down for the office?", es: "¿Qué le anoto al consultorio?" },
} as const satisfies Questions;

const opensAt = { at: "2026-12-01T14:00:00Z", timeZone: "America/New_York" };
const common: Output = { reason: "billing", outcome: "callback", destinations: [], opensAt: null, noted: false };
const desk = { label: "Billing desk", phone: "+16175550142" };
const clinic = { label: "the clinic", phone: "+16175550100" };

const situations: Record<RoutingOutcome, string> = {
  transferred: "Put through",
  callback: "No one is on duty",
  voicemail: "Voicemail",
  resolved: "The caller has what they wanted",
  emergency: "An emergency",
  other: "The call ends otherwise",
};

export const examples: readonly Example<Output>[] = [
  { situation: "Put through to a desk", output: { ...common, outcome: "transferred", destinations: [desk] } },
  { situation: "Put through to the clinic, and noted", output: { ...common, outcome: "transferred", destinations: [clinic], noted: true } },
  { situation: "No one is on duty, closed", output: { ...common, opensAt } },
  { situation: "A callback is noted, closed", output: { ...common, opensAt, noted: true } },
  { situation: "A callback is noted", output: { ...common, noted: true } },
  { situation: "The limit of messages in a call", output: { ...common, full: "call" } },
  { situation: "The limit of messages an hour", output: { ...common, full: "hour" } },
  ...RoutingOutcome.options.map((outcome) => ({ situation: situations[outcome], output: { ...common, outcome } })),
];
