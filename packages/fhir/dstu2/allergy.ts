import type * as R2 from "fhir/r2.js";
import type * as R4 from "fhir/r4.js";
import { codes, conceptOf, systems } from "../convert/codes.ts";
import { converter, list } from "../convert/converter.ts";

const criticality = codes([
  ["CRITL", "low"],
  ["CRITH", "high"],
  ["CRITU", "unable-to-assess"],
]);
/** One status says both whether it lasts and how sure it is. https://hl7.org/fhir/DSTU2/valueset-allergy-intolerance-status.html */
const states: Readonly<Record<string, { clinical?: string; verification?: string }>> = {
  active: { clinical: "active" },
  unconfirmed: { clinical: "active", verification: "unconfirmed" },
  confirmed: { clinical: "active", verification: "confirmed" },
  inactive: { clinical: "inactive" },
  resolved: { clinical: "resolved" },
  refuted: { verification: "refuted" },
  "entered-in-error": { verification: "entered-in-error" },
};

/** https://hl7.org/fhir/DSTU2/allergyintolerance.html */
export const allergy = converter<R2.AllergyIntolerance, R4.AllergyIntolerance>(
  "AllergyIntolerance",
  "AllergyIntolerance",
  ({ substance, status, criticality: risk, category: kind, onset, reporter, lastOccurence, note, reaction, ...same }) => {
    const { clinical, verification } = (status !== undefined && Object.hasOwn(states, status) && states[status]) || {};
    return {
      ...same,
      code: substance,
      clinicalStatus: conceptOf(systems.allergyClinical, clinical),
      verificationStatus: conceptOf(systems.allergyVerification, verification),
      criticality: risk && criticality.toR4(risk),
      category: kind === undefined ? undefined : [kind],
      onsetDateTime: onset,
      asserter: reporter,
      lastOccurrence: lastOccurence,
      note: list(note),
      reaction: reaction?.map((one) => ({ ...one, note: list(one.note) })),
    };
  },
);
