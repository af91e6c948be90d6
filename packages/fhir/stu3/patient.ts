import type * as R4 from "fhir/r4.js";
import type * as R3 from "fhir/r3.js";
import { converter, list } from "../convert/converter.ts";

/** https://hl7.org/fhir/STU3/patient.html: an animal is told apart in its own field, which stays as it is. */
export const patient = converter<R3.Patient, R4.Patient>(
  "Patient",
  "Patient",
  ({ generalPractitioner, ...same }) => ({ ...same, generalPractitioner: list(generalPractitioner) }),
  (same) => same,
);
