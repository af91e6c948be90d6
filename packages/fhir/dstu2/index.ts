import { versionOf } from "../version.ts";
import { allergy } from "./allergy.ts";
import { appointment } from "./appointment.ts";
import { communication } from "./communication.ts";
import { condition } from "./condition.ts";
import { coverage } from "./coverage.ts";
import { location, organization } from "./directory.ts";
import { eligibilityRequest, eligibilityResponse } from "./eligibility.ts";
import { medicationOrder } from "./medication-order.ts";
import { medication, medicationDispense, medicationStatement } from "./medication.ts";
import { observation } from "./observation.ts";
import { patient } from "./patient.ts";
import { practitioner, practitionerIdOf, rolesOf } from "./practitioner.ts";
import { schedule, slot } from "./schedule.ts";
import { search } from "./search.ts";

/** https://hl7.org/fhir/DSTU2 */
export const dstu2 = versionOf({
  fhirVersion: "DSTU2",
  mediaType: "application/json+fhir",
  converters: [
    ...[patient, practitioner, location, organization, schedule, slot, appointment],
    ...[condition, allergy, observation, medicationOrder, medication, medicationStatement, medicationDispense],
    ...[coverage, eligibilityRequest, eligibilityResponse, communication],
  ],
  within: { type: "PractitionerRole", native: "Practitioner", idOf: practitionerIdOf, taken: rolesOf },
  search,
});
