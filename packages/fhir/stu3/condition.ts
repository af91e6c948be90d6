import type * as R4 from "fhir/r4.js";
import type * as R3 from "fhir/r3.js";
import { conceptOf, systems } from "../convert/codes.ts";
import { converter, list } from "../convert/converter.ts";

/** https://hl7.org/fhir/STU3/condition.html: states are bare codes, what was `context` is an encounter. */
export const condition = converter<R3.Condition, R4.Condition>(
  "Condition",
  "Condition",
  ({ clinicalStatus, verificationStatus, context, assertedDate, stage, ...same }) => ({
    ...same,
    clinicalStatus: conceptOf(systems.conditionClinical, clinicalStatus),
    verificationStatus: conceptOf(systems.conditionVerification, verificationStatus),
    encounter: context,
    recordedDate: assertedDate,
    stage: stage && [{ ...stage, assessment: list(stage.assessment) }],
  }),
);
