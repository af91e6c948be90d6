import type { Phrasing } from "../sdk/phrasing.ts";

/** Words of desks and teams, which are no names: an office writes "Front Desk", and callers hear "the front desk". */
const commonWords = new Set(
  [
    "a an and at for in of on or the to",
    "front main back after hours night day weekend on call duty urgent new general medical patient patients",
    "billing bill bills refill refills prescription prescriptions referral referrals record records scheduling appointment appointments",
    "insurance payment payments nurse nurses nursing triage lab laboratory imaging surgery pharmacy reception records intake registration",
    "desk line office team department staff receptionist manager coordinator scheduler operator assistant supervisor clinic center room",
  ].flatMap((line) => line.split(" ")),
);
/** What takes an article. */
const nouns =
  /\b(?:desk|line|office|team|department|staff|receptionist|manager|coordinator|scheduler|operator|assistant|supervisor|clinic|center|pharmacy|lab|laboratory|nurse|nurses)$|\bnurse on (?:call|duty)$/;

const lowerWords = (label: string): string =>
  label
    .split(/\s+/)
    .map((word) => (commonWords.has(word.toLowerCase()) ? word.toLowerCase() : word))
    .join(" ");

function inEnglish(label: string): string {
  const isCommon = label.split(/[\s/&,-]+/).every((word) => commonWords.has(word.toLowerCase()));
  const said = isCommon ? label.toLowerCase() : label;
  return nouns.test(said.toLowerCase()) && !/^(?:the|a|an|our|dr|doctor)\b/i.test(said) ? `the ${lowerWords(said)}` : said;
}

const inSpanish: Readonly<Record<string, string>> = {
  "after hours line": "la línea de guardia",
  appointments: "el área de citas",
  "appointment desk": "el área de citas",
  billing: "el área de facturación",
  "billing department": "el área de facturación",
  "billing desk": "el área de facturación",
  "billing office": "el área de facturación",
  "billing team": "el área de facturación",
  clinic: "la clínica",
  "front desk": "la recepción",
  "front office": "la recepción",
  insurance: "el área de seguros",
  lab: "el laboratorio",
  laboratory: "el laboratorio",
  "main desk": "la recepción",
  "medical records": "el archivo médico",
  nurse: "enfermería",
  "nurse line": "la línea de enfermería",
  "nurse on call": "enfermería de guardia",
  "nurse on duty": "enfermería de guardia",
  "nurse triage": "enfermería",
  "nursing staff": "enfermería",
  office: "el consultorio",
  "office manager": "la administración del consultorio",
  "on call nurse": "enfermería de guardia",
  pharmacy: "la farmacia",
  "prescription line": "la línea de recetas",
  reception: "la recepción",
  receptionist: "la recepción",
  "refill desk": "el área de resurtidos",
  "refill line": "la línea de resurtidos",
  referrals: "el área de referencias",
  scheduling: "el área de citas",
  "scheduling desk": "el área de citas",
  staff: "el personal",
  "triage nurse": "enfermería",
};

/** A destination within a sentence: "Front Desk" → "the front desk", "la recepción". A name stays as the office wrote it. */
export function destinationName(label: string, { language, name }: Phrasing): string {
  const plain = label.trim().replace(/\s+/g, " ");
  if (/^dra?\b/i.test(plain)) return name(plain);
  if (language === "en") return inEnglish(plain);
  const key = plain
    .toLowerCase()
    .replace(/^(?:the|our) /, "")
    .replaceAll("-", " ");
  return inSpanish[key] ?? plain;
}

/** Said before a call is put through. */
export function connectingWith(label: string, phrasing: Phrasing): string {
  const to = destinationName(label, phrasing);
  return phrasing.say({ en: `One moment, I'm connecting you with ${to}.`, es: `Un momento, le comunico con ${to}.` });
}
