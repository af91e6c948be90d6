import type { Dosage, MedicationRequest } from "fhir/r4.js";
import { lineOf } from "../in-words.ts";

const notOrdered = new Set<string>(["proposal", "plan", "option"]);
const notMeant = new Set<string>(["entered-in-error", "draft"]);

/** Whether somebody has prescribed it: not what was only proposed, written by mistake, or is not to be taken. */
export const isOrder = (one: MedicationRequest): boolean =>
  one.resourceType === "MedicationRequest" && !notOrdered.has(one.intent) && !notMeant.has(one.status) && one.doNotPerform !== true;

/** How to take it, in the prescriber's words. */
export const dosageOf = (dosages: Dosage[] = []): string | undefined =>
  lineOf(dosages.flatMap(({ text, patientInstruction }) => text ?? patientInstruction ?? []).join("; then "));
