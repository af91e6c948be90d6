import { errorFields, isAppError } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import type { Coverage, CoverageEligibilityRequest, CoverageEligibilityResponse } from "fhir/r4.js";
import { isOtherPatients, patientIdOf, assertOwnPatient, referencedId } from "../patient/chart.ts";
import { periodOf } from "./coverage.ts";
import { openIfAllowed, requestSystem, type Run } from "../sdk/run.ts";
import type { CoverageOnFile } from "./schema.ts";

type InsurerAnswer = CoverageOnFile["insurerSays"];

const waitMs = 2000;
const pollMs = 400;
/** An EHR that did not answer is not asked again for this time. */
const silenceMs = 15 * 60_000;
const maxSilent = 5000;
const silentServers = new Map<string, number>();
export const askScopes = ["system/CoverageEligibilityRequest.crs", "system/CoverageEligibilityResponse.rs"];
export const withdrawScopes = ["system/CoverageEligibilityRequest.u"];

/**
 * Asks the insurer through the EHR whether a coverage is in force. A retry finds its earlier request by identifier. "not_checked" after
 * any failure or timeout; an unanswered request is withdrawn.
 */
export async function checkEligibility(run: Run, coverage: Coverage, today: string): Promise<InsurerAnswer> {
  const { supports, conditionalCreate, searchParams } = await run.ehr.capability({ signal: run.signal });
  if (!supports("CoverageEligibilityRequest", "create") || !supports("CoverageEligibilityResponse", "search-type")) return "not_checked";
  const isFound =
    supports("CoverageEligibilityRequest", "search-type") && searchParams("CoverageEligibilityRequest").includes("identifier");
  const isOnce = conditionalCreate("CoverageEligibilityRequest");
  if (!isOnce && !isFound) return "not_checked";
  const now = () => run.ctx.clock().getTime();
  if ((silentServers.get(run.ehr.providerId) ?? 0) > now()) return "not_checked";
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(waitMs)]);
  try {
    const ehr = await openIfAllowed(run, askScopes);
    if (!ehr) return "not_checked";
    const identifier = `${requestSystem}|${run.executionKey}`;
    const [earlier] = isOnce ? [] : await ehr.search<CoverageEligibilityRequest>("CoverageEligibilityRequest", { identifier }, { signal });
    const question =
      earlier ?? (await ehr.create(eligibilityRequest(run, coverage, today), { signal, ifNoneExist: `identifier=${identifier}` }));
    assertOwnPatient(run, [question.patient.reference]);
    const answer = await awaitResponse(run, ehr, question, signal);
    if (answer !== "none") return readResponse(run, answer, coverage, today);
    if (silentServers.size >= maxSilent) silentServers.clear();
    silentServers.set(run.ehr.providerId, now() + silenceMs);
    await withdraw(run, question);
    return "not_checked";
  } catch (error) {
    if (!isAppError(error)) throw error;
    run.ctx.log("warn", "tool.part_failed", errorFields(error));
    return "not_checked";
  }
}

function eligibilityRequest(run: Run, coverage: Coverage, today: string): CoverageEligibilityRequest {
  const [insurer] = coverage.payor ?? [];
  const { reference, display } = insurer ?? {};
  return {
    resourceType: "CoverageEligibilityRequest",
    identifier: [{ system: requestSystem, value: run.executionKey }],
    status: "active",
    purpose: ["validation"],
    patient: { reference: `Patient/${patientIdOf(run)}` },
    servicedDate: today,
    created: run.ctx.clock().toISOString(),
    // A contained resource cannot be referenced from outside.
    insurer: { ...(reference?.startsWith("#") ? {} : { reference }), ...(display ? { display } : {}) },
    insurance: [{ focal: true, coverage: { reference: `Coverage/${coverage.id}` } }],
  };
}

async function withdraw(run: Run, question: CoverageEligibilityRequest): Promise<void> {
  const { supports } = await run.ehr.capability({ signal: run.signal });
  if (question.status !== "active" || !supports("CoverageEligibilityRequest", "update")) return;
  const ehr = await openIfAllowed(run, withdrawScopes);
  await ehr?.update<CoverageEligibilityRequest>({ ...question, status: "cancelled" }, { signal: run.signal });
}

/** Polls until there is an answer or the time is over. */
async function awaitResponse(
  run: Run,
  ehr: Ehr,
  { id }: CoverageEligibilityRequest,
  signal: AbortSignal,
): Promise<CoverageEligibilityResponse | "none"> {
  const request = `CoverageEligibilityRequest/${id}`;
  for (let isFirst = true; ; isFirst = false) {
    const found = await ehr
      .search<CoverageEligibilityResponse>("CoverageEligibilityResponse", { request }, { signal })
      .catch((error: unknown) => {
        // The time ran out during a repeated search.
        if (signal.aborted && !isFirst) return [];
        throw error;
      });
    const [answer] = found
      .filter(
        ({ request: of, outcome, patient }) =>
          outcome !== "queued" && of?.reference?.endsWith(request) && !isOtherPatients(run, [patient.reference]),
      )
      .toSorted((a, b) => (Date.parse(b.created ?? "") || 0) - (Date.parse(a.created ?? "") || 0));
    if (answer) return answer;
    await run.ctx.pause(pollMs, signal).catch(() => undefined);
    if (signal.aborted) return "none";
  }
}

/** Only the insurer's complete answer about this coverage, for today, counts. */
function readResponse(
  run: Run,
  { status, outcome, insurance = [] }: CoverageEligibilityResponse,
  { id }: Coverage,
  today: string,
): InsurerAnswer {
  const answers = insurance.flatMap(({ coverage, inforce, benefitPeriod: period }) => {
    const of = referencedId(coverage?.reference, "Coverage");
    const isMeant = inforce !== undefined && (of === undefined || of === id);
    return isMeant
      ? [inforce && periodOf({ ...(period ? { period } : {}) }, today, run.timeZone).period !== "current" ? undefined : inforce]
      : [];
  });
  if (status !== "active" || outcome !== "complete" || answers.length === 0 || new Set(answers).size > 1) return "not_checked";
  const [inForce] = answers;
  return inForce === undefined ? "not_checked" : inForce ? "in_force" : "not_in_force";
}
