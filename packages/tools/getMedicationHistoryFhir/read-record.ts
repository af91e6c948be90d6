import { allDone, AppError, errorFields, isAppError } from "@vitaline/core";
import type { Capability, ResourceType, SearchParams } from "@vitaline/fhir";
import type { FhirResource, MedicationDispense, MedicationRequest, MedicationStatement } from "fhir/r4.js";
import { ownOf, patientOf } from "../patient/assert-own-patient.ts";
import type { Run } from "../sdk/run.ts";
import { openAlso } from "../sdk/optional-scopes.ts";
import { isOrder, type Naming, readNames } from "../patient/medications.ts";
import type { Output } from "./schema.ts";

const mostOfAType = 200;
/** A caller waits no longer for what can be left out. */
const besideMs = 3500;

export type MedicationRecord = {
  orders: MedicationRequest[];
  /** What the patient is said to take. */
  statements: MedicationStatement[];
  fills: MedicationDispense[];
  /** Whether `fills` are all that there are. */
  isEveryFill: boolean;
  missing: Output["missing"];
  nameOf(one: Naming): string;
};

/** "absent" where the server or the connection does not have it, "late" where it could not be read just now. `own`: of what was found, what is the patient's. */
type Beside<T> = { state: "read" | "absent" | "late"; found: T[]; own: T[] };
const none = { found: [], own: [] };

const typed = <T extends FhirResource>(found: readonly T[], type: T["resourceType"]): T[] =>
  found.filter(({ resourceType }) => resourceType === type);

/**
 * The patient's own medications, all parts at once. Only prescriptions have to be there: AppError `ehr_unsupported` for a server
 * without them, and what the EHR throws when they cannot be read.
 */
export async function readRecord(run: Run, { activeOnly }: { activeOnly: boolean }): Promise<MedicationRecord> {
  const { ehr, signal } = run;
  const { supports } = await ehr.capability({ signal });
  if (!supports("MedicationRequest", "search-type")) throw new AppError("ehr_unsupported", "The record system has no prescriptions.");
  const patientId = patientOf(run);
  const params = (type: ResourceType): SearchParams => ({ patient: `Patient/${patientId}`, _include: `${type}:medication` });
  const requestParams: SearchParams = { ...params("MedicationRequest"), ...(activeOnly && { status: "active" }) };
  const soon = AbortSignal.any([signal, AbortSignal.timeout(besideMs)]);
  const [requested, stated, dispensed] = await allDone([
    ehr.search<MedicationRequest>("MedicationRequest", requestParams, { signal, maxResources: mostOfAType }),
    readBeside<MedicationStatement>(run, "MedicationStatement", params("MedicationStatement"), supports, soon),
    readBeside<MedicationDispense>(run, "MedicationDispense", params("MedicationDispense"), supports, soon),
  ]);
  const isMeant = ({ status }: { status: string }): boolean => !activeOnly || status === "active";
  const orders = ownOf(typed(requested, "MedicationRequest"), ({ subject }) => subject, patientId).filter(
    (one) => isOrder(one) && isMeant(one),
  );
  const statements = stated.own.filter((one) => isTaken(one) && isMeant(one));
  const fills = dispensed.own.filter(({ status }) => status === "completed");
  return {
    orders,
    statements,
    fills,
    isEveryFill: dispensed.state === "read" && typed(dispensed.found, "MedicationDispense").length < mostOfAType,
    missing: [...(stated.state === "late" ? ["reported" as const] : []), ...(dispensed.state === "late" ? ["fills" as const] : [])],
    nameOf: await readNames(ehr, [...orders, ...statements, ...fills], [...requested, ...stated.found, ...dispensed.found], soon),
  };
}

async function readBeside<T extends MedicationStatement | MedicationDispense>(
  run: Run,
  type: T["resourceType"],
  params: SearchParams,
  supports: Capability["supports"],
  signal: AbortSignal,
): Promise<Beside<T>> {
  if (!supports(type, "search-type")) return { state: "absent", ...none };
  try {
    const ehr = await openAlso(run, [`system/${type}.rs`]);
    if (!ehr) return { state: "absent", ...none };
    const found = await ehr.search<T>(type, params, { signal, maxResources: mostOfAType });
    return { state: "read", found, own: ownOf(typed(found, type), ({ subject }) => subject, patientOf(run)) };
  } catch (error) {
    if (!isAppError(error)) throw error;
    run.ctx.log("warn", "tool.part_failed", errorFields(error));
    return { state: "late", ...none };
  }
}

const notTaken = new Set<MedicationStatement["status"]>(["entered-in-error", "not-taken", "unknown"]);
const isTaken = ({ resourceType, status }: MedicationStatement): boolean => resourceType === "MedicationStatement" && !notTaken.has(status);
