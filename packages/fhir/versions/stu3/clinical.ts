import type * as R3 from "fhir/r3.js";
import type * as R4 from "fhir/r4.js";
import { codeSystems, toConcept } from "../convert/code-systems.ts";
import { converter, list } from "../convert/converter.ts";

/** https://hl7.org/fhir/STU3/condition.html: statuses are plain codes; the encounter is `context`. */
export const condition = converter<R3.Condition, R4.Condition>(
  "Condition",
  "Condition",
  ({ clinicalStatus, verificationStatus, context, assertedDate, stage, ...same }) => ({
    ...same,
    clinicalStatus: toConcept(codeSystems.conditionClinical, clinicalStatus),
    verificationStatus: toConcept(codeSystems.conditionVerification, verificationStatus),
    encounter: context,
    recordedDate: assertedDate,
    stage: stage && [{ ...stage, assessment: list(stage.assessment) }],
  }),
);

/** https://hl7.org/fhir/STU3/allergyintolerance.html: statuses are plain codes. */
export const allergy = converter<R3.AllergyIntolerance, R4.AllergyIntolerance>(
  "AllergyIntolerance",
  "AllergyIntolerance",
  ({ clinicalStatus, verificationStatus, assertedDate, ...same }) => ({
    ...same,
    clinicalStatus: toConcept(codeSystems.allergyClinical, clinicalStatus),
    verificationStatus: toConcept(codeSystems.allergyVerification, verificationStatus),
    recordedDate: assertedDate,
  }),
);

/** https://hl7.org/fhir/STU3/observation.html: one interpretation, a comment instead of notes; the encounter is `context`. */
export const observation = converter<R3.Observation, R4.Observation>(
  "Observation",
  "Observation",
  ({ context, comment, interpretation, basedOn, performer, related, component, ...same }) => ({
    ...same,
    encounter: context,
    note: comment === undefined ? undefined : [{ text: comment }],
    interpretation: list(interpretation),
    basedOn: list(basedOn),
    performer: list(performer),
    hasMember: related?.flatMap(({ type, target }) => (type === "has-member" ? [target] : [])),
    derivedFrom: related?.flatMap(({ type, target }) => (type === "derived-from" ? [target] : [])),
    component: component?.map((one) => ({ ...one, interpretation: list(one.interpretation) })),
  }),
);
