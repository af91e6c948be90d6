import type * as R4 from "fhir/r4.js";
import type * as R3 from "fhir/r3.js";
import { converter, list } from "../convert/converter.ts";
import { dosageToR4 } from "./dosage.ts";

/** https://hl7.org/fhir/STU3/medicationrequest.html: the requester is an agent. */
export const medicationRequest = converter<R3.MedicationRequest, R4.MedicationRequest>(
  "MedicationRequest",
  "MedicationRequest",
  ({ status, context, requester, category, definition: _d, basedOn, reasonReference, dosageInstruction, substitution, ...same }) => ({
    ...same,
    status: status ?? "unknown",
    encounter: context,
    requester: requester?.agent,
    category: list(category),
    basedOn: list(basedOn),
    reasonReference: list(reasonReference),
    dosageInstruction: dosageInstruction?.map(dosageToR4),
    substitution: substitution && { allowedBoolean: substitution.allowed, reason: substitution.reason },
  }),
);
