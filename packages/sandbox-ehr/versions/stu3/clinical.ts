import type * as r3 from "fhir/r3.js";
import type * as r4 from "fhir/r4.js";
import { codeOf, compact, first, pick, type Plain, mapCode } from "../older.ts";
import { base } from "./elements.ts";

/** R4's "unconfirmed" is STU3's "provisional". */
const verification = { unconfirmed: "provisional" };

export const condition = (one: Plain<r4.Condition>): r3.Condition =>
  compact({
    resourceType: "Condition",
    ...base(one),
    ...pick(one, "identifier", "category", "severity", "code", "bodySite", "subject", "onsetDateTime", "onsetPeriod", "onsetString"),
    ...pick(one, "abatementDateTime", "abatementPeriod", "abatementString", "asserter", "note"),
    clinicalStatus: mapCode(codeOf(one.clinicalStatus), { relapse: "recurrence" }),
    verificationStatus: mapCode(codeOf(one.verificationStatus), verification),
    context: one.encounter,
    assertedDate: one.recordedDate,
  });

export const allergyIntolerance = (one: Plain<r4.AllergyIntolerance>): r3.AllergyIntolerance =>
  compact({
    resourceType: "AllergyIntolerance",
    ...base(one),
    ...pick(one, "identifier", "type", "category", "criticality", "code", "patient", "onsetDateTime", "onsetPeriod", "onsetString"),
    ...pick(one, "recorder", "asserter", "lastOccurrence", "note", "reaction"),
    clinicalStatus: codeOf(one.clinicalStatus),
    verificationStatus: codeOf(one.verificationStatus) ?? "unconfirmed",
    assertedDate: one.recordedDate,
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

export const observation = (one: Plain<r4.Observation>): r3.Observation =>
  compact({
    resourceType: "Observation",
    ...base(one),
    ...pick(one, "identifier", "basedOn", "status", "category", "code", "subject", "effectiveDateTime", "effectivePeriod", "issued"),
    ...pick(one, "performer", ...values, "valueBoolean", "dataAbsentReason", "bodySite", "method", "specimen", "device", "referenceRange"),
    context: one.encounter,
    interpretation: first(one.interpretation),
    comment: first(one.note)?.text,
    component: one.component?.map((part) => ({
      ...pick(part, "code", ...values, "dataAbsentReason", "referenceRange"),
      ...(part.interpretation?.[0] && { interpretation: part.interpretation[0] }),
    })),
  });
