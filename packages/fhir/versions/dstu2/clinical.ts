import type * as R2 from "fhir/r2.js";
import type * as R4 from "fhir/r4.js";
import { codeMap, codeSystems, toConcept } from "../convert/code-systems.ts";
import { converter, list, type Loose } from "../convert/converter.ts";

/** https://hl7.org/fhir/DSTU2/condition.html: statuses are plain codes, and notes are one string. */
export const condition = converter<R2.Condition, R4.Condition>(
  "Condition",
  "Condition",
  ({ patient, clinicalStatus, verificationStatus, category, dateRecorded, notes, stage, onsetQuantity, abatementQuantity, ...same }) => ({
    ...same,
    subject: patient,
    clinicalStatus: toConcept(codeSystems.conditionClinical, clinicalStatus),
    verificationStatus: toConcept(codeSystems.conditionVerification, verificationStatus),
    category: list(category),
    recordedDate: dateRecorded,
    note: notes === undefined ? undefined : [{ text: notes }],
    onsetAge: onsetQuantity,
    abatementAge: abatementQuantity,
    stage: stage && [{ ...stage, assessment: list(stage.assessment) }],
    evidence: same.evidence?.map((one) => ({ ...one, code: list(one.code) })),
  }),
);

const criticality = codeMap([
  ["CRITL", "low"],
  ["CRITH", "high"],
  ["CRITU", "unable-to-assess"],
]);
/** One status for both the clinical and the verification status. https://hl7.org/fhir/DSTU2/valueset-allergy-intolerance-status.html */
const statuses: Readonly<Record<string, { clinical?: string; verification?: string }>> = {
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
    const { clinical, verification } = (status !== undefined && Object.hasOwn(statuses, status) && statuses[status]) || {};
    return {
      ...same,
      code: substance,
      clinicalStatus: toConcept(codeSystems.allergyClinical, clinical),
      verificationStatus: toConcept(codeSystems.allergyVerification, verification),
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

const rangeToR4 = ({ meaning, ...same }: Loose<R2.ObservationReferenceRange>): Loose<R4.ObservationReferenceRange> => ({
  ...same,
  type: meaning,
});
/** https://hl7.org/fhir/DSTU2/observation.html: one category, one interpretation, comments instead of notes. */
export const observation = converter<R2.Observation, R4.Observation>(
  "Observation",
  "Observation",
  ({ category, interpretation, comments, performer, referenceRange, related, component, ...same }) => ({
    ...same,
    category: list(category),
    interpretation: list(interpretation),
    note: comments === undefined ? undefined : [{ text: comments }],
    performer: list(performer),
    referenceRange: referenceRange?.map(rangeToR4),
    hasMember: related?.flatMap(({ type, target }) => (type === "has-member" ? [target] : [])),
    derivedFrom: related?.flatMap(({ type, target }) => (type === "derived-from" ? [target] : [])),
    component,
  }),
);
