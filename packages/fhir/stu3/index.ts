import { versionOf } from "../version.ts";
import { allergy } from "./allergy.ts";
import { appointment } from "./appointment.ts";
import { communication } from "./communication.ts";
import { condition } from "./condition.ts";
import { coverage } from "./coverage.ts";
import { location } from "./directory.ts";
import { eligibilityRequest, eligibilityResponse } from "./eligibility.ts";
import { medicationRequest } from "./medication-request.ts";
import { medication, medicationDispense, medicationStatement } from "./medication.ts";
import { observation } from "./observation.ts";
import { patient } from "./patient.ts";
import { schedule, slot } from "./schedule.ts";
import { search } from "./search.ts";

/** https://hl7.org/fhir/STU3 */
export const stu3 = versionOf({
  fhirVersion: "STU3",
  mediaType: "application/fhir+json",
  converters: [
    ...[patient, location, schedule, slot, appointment],
    ...[condition, allergy, observation, medicationRequest, medication, medicationStatement, medicationDispense],
    ...[coverage, eligibilityRequest, eligibilityResponse, communication],
  ],
  search,
});
