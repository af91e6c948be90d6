import { errorFields, isAppError } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import type { Coverage, CoverageEligibilityRequest, CoverageEligibilityResponse } from "fhir/r4.js";
import { patientOf, type Run } from "../define-tool.ts";
import { openAlso } from "../open-also.ts";
import { requestSystem } from "../request-key.ts";
import { isAnothers, refuseAnothers } from "../subject.ts";
import type { OnFile } from "./output.ts";

type Says = OnFile["insurerSays"];

const waitMs = 3000;
const pollMs = 400;
export const askScopes = ["system/CoverageEligibilityRequest.crs", "system/CoverageEligibilityResponse.rs"];

/**
 * Asks the insurer through the record system whether a coverage is in force, where the server takes such questions and the connection
 * allows it. Nobody is asked twice for one request: the question carries its key, and is found again by that. Whatever goes wrong
 * or takes too long is "not_checked".
 */
export async function askInsurer(run: Run, coverage: Coverage, today: string): Promise<Says> {
  const { supports, conditionalCreate, searchParams } = await run.ehr.capability({ signal: run.signal });
  if (!supports("CoverageEligibilityRequest", "create") || !supports("CoverageEligibilityResponse", "search-type")) return "not_checked";
  const isFound =
    supports("CoverageEligibilityRequest", "search-type") && searchParams("CoverageEligibilityRequest").includes("identifier");
  const isOnce = conditionalCreate("CoverageEligibilityRequest");
  if (!isOnce && !isFound) return "not_checked";
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(waitMs)]);
  try {
    const ehr = await openAlso(run, askScopes);
    if (!ehr) return "not_checked";
    const identifier = `${requestSystem}|${run.requestKey}`;
    const [earlier] = isOnce ? [] : await ehr.search<CoverageEligibilityRequest>("CoverageEligibilityRequest", { identifier }, { signal });
    const question = earlier ?? (await ehr.create(questionOf(run, coverage, today), { signal, ifNoneExist: `identifier=${identifier}` }));
    refuseAnothers(run, [question.patient.reference]);
    return await answerTo(run, ehr, question, signal);
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

/** Asked for until the insurer has answered or nobody can wait any longer. */
async function answerTo(run: Run, ehr: Ehr, { id }: CoverageEligibilityRequest, signal: AbortSignal): Promise<Says> {
  const request = `CoverageEligibilityRequest/${id}`;
  for (;;) {
    const found = await ehr.search<CoverageEligibilityResponse>("CoverageEligibilityResponse", { request }, { signal });
    const answer = found.find(
      ({ request: of, outcome, patient }) =>
        outcome !== "queued" && of?.reference?.endsWith(request) && !isAnothers(run, [patient.reference]),
    );
    if (answer) return meaningOf(answer);
    await run.ctx.pause(pollMs, signal).catch(() => undefined);
    if (signal.aborted) return "not_checked";
  }
}

/** Only a whole answer that says so makes it one or the other. */
function meaningOf({ status, outcome, insurance = [] }: CoverageEligibilityResponse): Says {
  const inForce = insurance.map(({ inforce }) => inforce).find((one) => one !== undefined);
  if (status !== "active" || outcome !== "complete" || inForce === undefined) return "not_checked";
  return inForce ? "in_force" : "not_in_force";
}
