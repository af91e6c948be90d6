import { AppError, dayIn } from "@vitaline/core";
import type { Coverage } from "fhir/r4.js";
import { defineTool, type Example } from "../sdk/define-tool.ts";
import { checkEligibility, askScopes, withdrawScopes } from "./ask-insurer.ts";
import { Input, Output, type CoverageOnFile } from "./schema.ts";
import { payerScopes, withPayerNames } from "./payers.ts";
import { speak } from "./speak.ts";
import { ownResources, patientIdOf } from "../patient/chart.ts";
import type { RunResult, Run } from "../sdk/run.ts";
import { hasMemberId, matchesPayer, describeCoverage, payerOf, periodOf } from "./coverage.ts";
import type { Questions } from "../speech/questions.ts";

const questions = {
  payerName: { en: "Which insurance company are you with?", es: "¿Con qué aseguradora está?" },
  memberId: { en: "What's the member ID on your card?", es: "¿Cuál es el número de afiliado de su tarjeta?" },
} as const satisfies Questions;

const sample: CoverageOnFile = {
  ...{ payer: "Sample Mutual", plan: "Silver", memberIdEndsIn: "4321" },
  ...{ period: "current", insurerSays: "not_checked" },
};
const expired: CoverageOnFile = { ...sample, payer: "Mockford Health", plan: "Gold PPO", period: "expired", endsOn: "2026-03" };
const next: CoverageOnFile = { ...sample, payer: "Example Care", plan: "Bronze", period: "not_started", startsOn: "2027-01-01" };

const examples: readonly Example<Output>[] = [
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

export const verifyInsurance = defineTool({
  name: "verifyInsurance",
  description: [
    "Check the verified caller's insurance: what is on file, whether it has expired, and, where the record system can ask, whether the insurer",
    "says that it is in force. Give payerName or memberId when the caller says them, to learn whether they match. Never tell a caller that",
    "something is covered or eligible from what is on file. Needs verifyPatientIdentity with two matching details first.",
  ].join(" "),
  input: Input,
  output: Output,
  effect: "read",
  level: 2,
  patientRecord: true,
  matter: "insurance",
  scopes: ["system/Patient.rs", "system/Coverage.rs"],
  optionalScopes: [...askScopes, ...withdrawScopes, ...payerScopes],
  requests: ["read Patient", "search Coverage", "create CoverageEligibilityRequest", "search CoverageEligibilityResponse"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  run: checkInsurance,
  speak,
  questions,
  examples,
});

const maxCoverages = 20;
const maxSpokenCoverages = 3;

/** Checks the first current coverage with the insurer, and whether payer and member id match. */
async function checkInsurance(run: Run, { payerName, memberId }: Input): Promise<RunResult<Output>> {
  const { ehr, signal } = run;
  const { supports } = await ehr.capability({ signal });
  if (!supports("Coverage", "search-type")) throw new AppError("ehr_unsupported", "The record system has no insurance data.");
  const patientId = patientIdOf(run);
  const today = dayIn(run.timeZone, run.ctx.clock());
  const found = await ehr.search<Coverage>("Coverage", { patient: `Patient/${patientId}` }, { signal, maxResources: maxCoverages });
  const coverage = found.filter(({ resourceType }) => resourceType === "Coverage");
  const active = ownResources(coverage, ({ beneficiary }) => beneficiary, patientId)
    .filter(({ status }) => status === "active")
    .toSorted((a, b) => rank(a) - rank(b));
  const own = await withPayerNames(run, active);

  const named = payerName === undefined ? own : own.filter((one) => matchesPayer(one, payerName));
  // A payer without a recorded name is never reported as a mismatch.
  const untold = named.length > 0 ? [] : own.filter((one) => payerOf(one) === undefined);
  const meant = untold.length > 0 ? untold : named;
  const isMember = memberId === undefined ? undefined : meant.some((one) => hasMemberId(one, memberId));
  const current = meant.find((one) => periodOf(one, today, run.timeZone).period === "current");
  const answer = current && (await checkEligibility(run, current, today));
  const coverages = meant.slice(0, maxSpokenCoverages).map((one) => {
    const { memberIdEndsIn, ...rest } = describeCoverage(one, today, run.timeZone, one === current && answer ? answer : "not_checked");
    // A wrong number gets no hint of the right one.
    return isMember === false || !memberIdEndsIn ? rest : { ...rest, memberIdEndsIn };
  });
  return {
    patientId,
    output: {
      coverages,
      ...(payerName === undefined || own.length === 0 || untold.length > 0 ? {} : { payerMatches: named.length > 0 }),
      ...(isMember === undefined || meant.length === 0 ? {} : { memberIdMatches: isMember }),
    },
  };

  /** Current coverages first, then in payment order. */
  function rank(one: Coverage): number {
    return (periodOf(one, today, run.timeZone).period === "current" ? 0 : 1000) + (one.order ?? 100);
  }
}
