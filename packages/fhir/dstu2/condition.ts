import type * as R2 from "fhir/r2.js";
import type * as R4 from "fhir/r4.js";
import { conceptOf, systems } from "../convert/codes.ts";
import { converter, list } from "../convert/converter.ts";

/** https://hl7.org/fhir/DSTU2/condition.html: states are bare codes, the patient is named so, notes are one text. */
export const condition = converter<R2.Condition, R4.Condition>(
  "Condition",
  "Condition",
  ({ patient, clinicalStatus, verificationStatus, category, dateRecorded, notes, stage, onsetQuantity, abatementQuantity, ...same }) => ({
    ...same,
    subject: patient,
    clinicalStatus: conceptOf(systems.conditionClinical, clinicalStatus),
    verificationStatus: conceptOf(systems.conditionVerification, verificationStatus),
    category: list(category),
    recordedDate: dateRecorded,
    note: notes === undefined ? undefined : [{ text: notes }],
    onsetAge: onsetQuantity,
    abatementAge: abatementQuantity,
    stage: stage && [{ ...stage, assessment: list(stage.assessment) }],
    evidence: same.evidence?.map((one) => ({ ...one, code: list(one.code) })),
  }),
);
