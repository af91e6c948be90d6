import type * as r2 from "fhir/r2.js";
import type * as r4 from "fhir/r4.js";
import { codeOf, compact, first, pick, type Plain, mapCode } from "../older.ts";
import { annotation, base, identifier, noteText, reference, referenceIf, references } from "./elements.ts";

const clinical = { recurrence: "relapse", inactive: "resolved" };
const verification = { unconfirmed: "provisional" };
/** DSTU2 has no category for problem lists. */
const diagnosis: r2.CodeableConcept = {
  coding: [{ system: "http://hl7.org/fhir/condition-category", code: "diagnosis", display: "Diagnosis" }],
};

export const condition = (one: Plain<r4.Condition>): r2.Condition =>
  compact({
    resourceType: "Condition",
    ...base(one),
    ...pick(
      one,
      "severity",
      "onsetDateTime",
      "onsetPeriod",
      "onsetString",
      "abatementDateTime",
      "abatementPeriod",
      "abatementString",
      "bodySite",
    ),
    identifier: one.identifier?.map(identifier),
    patient: reference(one.subject),
    encounter: referenceIf(one.encounter),
    asserter: referenceIf(one.asserter),
    dateRecorded: one.recordedDate?.slice(0, 10),
    code: one.code ?? {},
    category: one.category && diagnosis,
    clinicalStatus: mapCode(codeOf(one.clinicalStatus), clinical),
    verificationStatus: mapCode(codeOf(one.verificationStatus), verification) ?? "unknown",
    notes: noteText(one.note),
  });

export const criticalities = { low: "CRITL", high: "CRITH", "unable-to-assess": "CRITU" };

/** One status covers R4's clinical and verification status. */
function allergyStatus({ clinicalStatus, verificationStatus }: Plain<r4.AllergyIntolerance>): string | undefined {
  const verified = codeOf(verificationStatus);
  if (verified === "refuted" || verified === "entered-in-error" || verified === "unconfirmed") return verified;
  return codeOf(clinicalStatus) ?? verified;
}

export const allergyIntolerance = (one: Plain<r4.AllergyIntolerance>): r2.AllergyIntolerance =>
  compact({
    resourceType: "AllergyIntolerance",
    ...base(one),
    ...pick(one, "recordedDate", "type"),
    identifier: one.identifier?.map(identifier),
    onset: one.onsetDateTime,
    recorder: referenceIf(one.recorder),
    patient: reference(one.patient),
    reporter: referenceIf(one.asserter),
    substance: one.code ?? {},
    status: allergyStatus(one),
    criticality: one.criticality && criticalities[one.criticality],
    category: mapCode(first(one.category), { biologic: "other" }),
    lastOccurence: one.lastOccurrence,
    note: annotation(one.note),
    reaction: one.reaction?.map((event) =>
      compact({
        ...pick(event, "substance", "manifestation", "description", "onset", "severity", "exposureRoute"),
        note: annotation(event.note),
      }),
    ),
  });

const values = [
  "valueQuantity",
  "valueCodeableConcept",
  "valueString",
  "valueRange",
  "valueRatio",
  "valueTime",
  "valueDateTime",
  "valuePeriod",
] as const;

export const observation = (one: Plain<r4.Observation>): r2.Observation =>
  compact({
    resourceType: "Observation",
    ...base(one),
    ...pick(one, "code", "effectiveDateTime", "effectivePeriod", "issued", ...values, "dataAbsentReason", "bodySite", "method"),
    identifier: one.identifier?.map(identifier),
    status: mapCode(one.status, { corrected: "amended" }) ?? "unknown",
    category: first(one.category),
    subject: referenceIf(one.subject),
    encounter: referenceIf(one.encounter),
    performer: references(one.performer),
    interpretation: first(one.interpretation),
    comments: noteText(one.note),
    referenceRange: one.referenceRange?.map((range) => pick(range, "low", "high", "age", "text")),
    component: one.component?.map((part) => pick(part, "code", ...values, "dataAbsentReason")),
  });
