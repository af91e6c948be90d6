import type { Example } from "../sdk/define-tool.ts";
import type { Questions } from "../speech/questions.ts";
import type { CoverageOnFile, Output } from "./schema.ts";

export const questions = {
  payerName: { en: "Which insurance company are you with?", es: "¿Con qué aseguradora está?" },
  memberId: { en: "What's the member ID on your card?", es: "¿Cuál es el número de afiliado de su tarjeta?" },
} as const satisfies Questions;

const sample: CoverageOnFile = {
  ...{ payer: "Sample Mutual", plan: "Silver", memberIdEndsIn: "4321" },
  ...{ period: "current", insurerSays: "not_checked" },
};
const expired: CoverageOnFile = { ...sample, payer: "Mockford Health", plan: "Gold PPO", period: "expired", endsOn: "2026-03" };
const next: CoverageOnFile = { ...sample, payer: "Example Care", plan: "Bronze", period: "not_started", startsOn: "2027-01-01" };

export const examples: readonly Example<Output>[] = [
  { situation: "On file, not asked", output: { coverages: [sample] } },
  { situation: "The insurer confirms it", output: { coverages: [{ ...sample, insurerSays: "in_force" }] } },
  { situation: "The insurer denies it", output: { coverages: [{ ...sample, insurerSays: "not_in_force" }] } },
  { situation: "Expired", output: { coverages: [expired] } },
  { situation: "Several, one confirmed", output: { coverages: [{ ...sample, insurerSays: "in_force" }, expired, next] } },
  { situation: "Without a name", output: { coverages: [{ period: "current", insurerSays: "not_checked" }] } },
  { situation: "The member ID matches", output: { coverages: [sample], memberIdMatches: true } },
  { situation: "The member ID does not match", output: { coverages: [sample], memberIdMatches: false } },
  { situation: "Another insurance company", output: { coverages: [], payerMatches: false } },
  { situation: "Nothing on file", output: { coverages: [] } },
];
