import { errorFields, isAppError } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import type { Coverage, CoverageEligibilityRequest, CoverageEligibilityResponse } from "fhir/r4.js";
import { isAnothers, patientOf, refuseAnothers } from "../patient/assert-own-patient.ts";
import type { Run } from "../sdk/run.ts";
import { openAlso } from "../sdk/optional-scopes.ts";
import { requestSystem } from "../sdk/references.ts";
import type { OnFile } from "./schema.ts";

type Says = OnFile["insurerSays"];

const waitMs = 2000;
const pollMs = 400;
/** So long a record system is not asked that has let a question lie. */
const silentMs = 15 * 60_000;
const mostSilent = 5000;
const silent = new Map<string, number>();
export const askScopes = ["system/CoverageEligibilityRequest.crs", "system/CoverageEligibilityResponse.rs"];
export const withdrawScopes = ["system/CoverageEligibilityRequest.u"];

/**
 * Asks the insurer through the record system whether a coverage is in force, where the server takes such questions and the connection
 * allows it. Nobody is asked twice for one request: the question carries its key, and is found again by that. Whatever goes wrong
 * or takes too long is "not_checked"; a question without an answer is withdrawn.
 */
export async function askInsurer(run: Run, coverage: Coverage, today: string): Promise<Says> {
  const { supports, conditionalCreate, searchParams } = await run.ehr.capability({ signal: run.signal });
  if (!supports("CoverageEligibilityRequest", "create") || !supports("CoverageEligibilityResponse", "search-type")) return "not_checked";
  const isFound =
    supports("CoverageEligibilityRequest", "search-type") && searchParams("CoverageEligibilityRequest").includes("identifier");
  const isOnce = conditionalCreate("CoverageEligibilityRequest");
  if (!isOnce && !isFound) return "not_checked";
  const now = () => run.ctx.clock().getTime();
  if ((silent.get(run.ehr.providerId) ?? 0) > now()) return "not_checked";
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(waitMs)]);
  try {
    const ehr = await openAlso(run, askScopes);
    if (!ehr) return "not_checked";
    const identifier = `${requestSystem}|${run.requestKey}`;
    const [earlier] = isOnce ? [] : await ehr.search<CoverageEligibilityRequest>("CoverageEligibilityRequest", { identifier }, { signal });
    const question = earlier ?? (await ehr.create(questionOf(run, coverage, today), { signal, ifNoneExist: `identifier=${identifier}` }));
    refuseAnothers(run, [question.patient.reference]);
    const answer = await answerTo(run, ehr, question, signal);
    if (answer !== "none") return answer;
    if (silent.size >= mostSilent) silent.clear();
    silent.set(run.ehr.providerId, now() + silentMs);
    await withdraw(run, question);
    return "not_checked";
  } catch (error) {
    if (!isAppError(error)) throw error;
    run.ctx.log("warn", "tool.part_failed", errorFields(error));
    return "not_checked";
  }
}

function questionOf(run: Run, coverage: Coverage, today: string): CoverageEligibilityRequest {
  const [insurer] = coverage.payor ?? [];
  const { reference, display } = insurer ?? {};
  return {
    resourceType: "CoverageEligibilityRequest",
    identifier: [{ system: requestSystem, value: run.requestKey }],
    status: "active",
    purpose: ["validation"],
    patient: { reference: `Patient/${patientOf(run)}` },
    servicedDate: today,
    created: run.ctx.clock().toISOString(),
    // What a coverage contains is nowhere else.
    insurer: { ...(reference?.startsWith("#") ? {} : { reference }), ...(display ? { display } : {}) },
    insurance: [{ focal: true, coverage: { reference: `Coverage/${coverage.id}` } }],
  };
}

/** No question stays open, where the server and the connection let it be changed. */
async function withdraw(run: Run, question: CoverageEligibilityRequest): Promise<void> {
  const { supports } = await run.ehr.capability({ signal: run.signal });
  if (question.status !== "active" || !supports("CoverageEligibilityRequest", "update")) return;
  const ehr = await openAlso(run, withdrawScopes);
  await ehr?.update<CoverageEligibilityRequest>({ ...question, status: "cancelled" }, { signal: run.signal });
}

/** Asked for until the insurer has answered or nobody can wait any longer. */
async function answerTo(run: Run, ehr: Ehr, { id }: CoverageEligibilityRequest, signal: AbortSignal): Promise<Says | "none"> {
  const request = `CoverageEligibilityRequest/${id}`;
  for (let isFirst = true; ; isFirst = false) {
    const found = await ehr
      .search<CoverageEligibilityResponse>("CoverageEligibilityResponse", { request }, { signal })
      .catch((error: unknown) => {
        // The time was over while it was looked for once more.
        if (signal.aborted && !isFirst) return [];
        throw error;
      });
    const answer = found.find(
      ({ request: of, outcome, patient }) =>
        outcome !== "queued" && of?.reference?.endsWith(request) && !isAnothers(run, [patient.reference]),
    );
    if (answer) return meaningOf(answer);
    await run.ctx.pause(pollMs, signal).catch(() => undefined);
    if (signal.aborted) return "none";
  }
}

/** Only a whole answer that says so makes it one or the other. */
function meaningOf({ status, outcome, insurance = [] }: CoverageEligibilityResponse): Says {
  const inForce = insurance.map(({ inforce }) => inforce).find((one) => one !== undefined);
  if (status !== "active" || outcome !== "complete" || inForce === undefined) return "not_checked";
  return inForce ? "in_force" : "not_in_force";
}
