import { awaitAllThenThrow, AppError, errorFields, isAppError } from "@vitaline/core";
import type { Capability, ResourceType, SearchParams } from "@vitaline/fhir";
import type { FhirResource, MedicationDispense, MedicationRequest, MedicationStatement } from "fhir/r4.js";
import { ownResources, patientIdOf } from "../patient/chart.ts";
import { openIfAllowed, type Run } from "../sdk/run.ts";
import { isOrder, type MedicationReference, readMedicationNames } from "../patient/medications.ts";
import type { Output } from "./schema.ts";

const maxOfAType = 200;
const optionalPartMs = 3500;

export type MedicationRecord = {
  orders: MedicationRequest[];
  statements: MedicationStatement[];
  fills: MedicationDispense[];
  isEveryFill: boolean;
  missing: Output["missing"];
  nameOf(one: MedicationReference): string;
};

/** "absent" if the server or connection lacks it, "late" if it could not be read in time. */
type OptionalPart<T> = { state: "read" | "absent" | "late"; found: T[]; own: T[] };
const none = { found: [], own: [] };
/** There may be more. */
const isCut = (found: readonly unknown[]): boolean => found.length >= maxOfAType;

const typed = <T extends FhirResource>(found: readonly T[], type: T["resourceType"]): T[] =>
  found.filter(({ resourceType }) => resourceType === type);

/** Reads all parts in parallel. Only prescriptions are required: AppError `ehr_unsupported` without them. */
export async function readRecord(run: Run, { activeOnly }: { activeOnly: boolean }): Promise<MedicationRecord> {
  const { ehr, signal } = run;
  const { supports } = await ehr.capability({ signal });
  if (!supports("MedicationRequest", "search-type")) throw new AppError("ehr_unsupported", "The record system has no prescriptions.");
  const patientId = patientIdOf(run);
  const params = (type: ResourceType): SearchParams => ({ patient: `Patient/${patientId}`, _include: `${type}:medication` });
  const requestParams: SearchParams = { ...params("MedicationRequest"), ...(activeOnly && { status: "active" }) };
  const soon = AbortSignal.any([signal, AbortSignal.timeout(optionalPartMs)]);
  const [requested, stated, dispensed] = await awaitAllThenThrow([
    ehr.search<MedicationRequest>("MedicationRequest", requestParams, { signal, maxResources: maxOfAType }),
    readOptional<MedicationStatement>(run, "MedicationStatement", params("MedicationStatement"), supports, soon),
    readOptional<MedicationDispense>(run, "MedicationDispense", params("MedicationDispense"), supports, soon),
  ]);
  const isMeant = ({ status }: { status: string }): boolean => !activeOnly || status === "active";
  const orders = ownResources(typed(requested, "MedicationRequest"), ({ subject }) => subject, patientId).filter(
    (one) => isOrder(one) && isMeant(one),
  );
  const statements = stated.own.filter((one) => isTaken(one) && isMeant(one));
  const fills = dispensed.own.filter(({ status }) => status === "completed");
  // What the pharmacy is preparing may use up a refill.
  const isUnderWay = dispensed.own.some(({ status }) => ["preparation", "in-progress", "on-hold", "unknown"].includes(status));
  return {
    orders,
    statements,
    fills,
    isEveryFill: dispensed.state === "read" && !isUnderWay && typed(dispensed.found, "MedicationDispense").length < maxOfAType,
    missing: [
      ...(isCut(typed(requested, "MedicationRequest")) ? ["prescribed" as const] : []),
      ...(stated.state === "late" || isCut(typed(stated.found, "MedicationStatement")) ? ["reported" as const] : []),
      ...(dispensed.state === "late" ? ["fills" as const] : []),
    ],
    nameOf: await readMedicationNames(ehr, [...orders, ...statements, ...fills], [...requested, ...stated.found, ...dispensed.found], soon),
  };
}

async function readOptional<T extends MedicationStatement | MedicationDispense>(
  run: Run,
  type: T["resourceType"],
  params: SearchParams,
  supports: Capability["supports"],
  signal: AbortSignal,
): Promise<OptionalPart<T>> {
  if (!supports(type, "search-type")) return { state: "absent", ...none };
  try {
    const ehr = await openIfAllowed(run, [`system/${type}.rs`]);
    if (!ehr) return { state: "absent", ...none };
    const found = await ehr.search<T>(type, params, { signal, maxResources: maxOfAType });
    return { state: "read", found, own: ownResources(typed(found, type), ({ subject }) => subject, patientIdOf(run)) };
  } catch (error) {
    if (!isAppError(error)) throw error;
    run.ctx.log("warn", "tool.part_failed", errorFields(error));
    return { state: "late", ...none };
  }
}

const notTaken = new Set<MedicationStatement["status"]>(["entered-in-error", "not-taken", "unknown"]);
const isTaken = ({ resourceType, status }: MedicationStatement): boolean => resourceType === "MedicationStatement" && !notTaken.has(status);
