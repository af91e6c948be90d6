import type { MedicationRequest } from "fhir/r4.js";
import { dosageOf, isOrder } from "../getMedicationHistoryFhir/prescriptions.ts";
import { readNames } from "../getMedicationHistoryFhir/medication-names.ts";
import type { Read } from "./gather.ts";

/** What is prescribed now, each medication once. */
export const readMedications: Read = async ({ ehr, signal, search, own }) => {
  const found = await search<MedicationRequest>("MedicationRequest", { status: "active", _include: "MedicationRequest:medication" });
  const requests = found.filter(({ resourceType }) => resourceType === "MedicationRequest");
  const orders = own(requests, ({ subject }) => subject).filter((one) => isOrder(one) && one.status === "active");
  const nameOf = await readNames(ehr, orders, found, signal);
  const medications = orders.map((one) => {
    const dosage = dosageOf(one.dosageInstruction);
    return { name: nameOf(one), ...(dosage ? { dosage } : {}) };
  });
  return { medications: [...new Map(medications.map((one) => [`${one.name}\n${one.dosage}`, one])).values()] };
};
