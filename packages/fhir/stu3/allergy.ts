import type * as R4 from "fhir/r4.js";
import type * as R3 from "fhir/r3.js";
import { conceptOf, systems } from "../convert/codes.ts";
import { converter } from "../convert/converter.ts";

/** https://hl7.org/fhir/STU3/allergyintolerance.html: states are bare codes. */
export const allergy = converter<R3.AllergyIntolerance, R4.AllergyIntolerance>(
  "AllergyIntolerance",
  "AllergyIntolerance",
  ({ clinicalStatus, verificationStatus, assertedDate, ...same }) => ({
    ...same,
    clinicalStatus: conceptOf(systems.allergyClinical, clinicalStatus),
    verificationStatus: conceptOf(systems.allergyVerification, verificationStatus),
    recordedDate: assertedDate,
  }),
);
