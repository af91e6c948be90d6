import type * as r2 from "fhir/r2.js";
import type * as r4 from "fhir/r4.js";
import { compact, first, pick, type Plain, mapCode } from "../older.ts";
import { base, dosageInstruction, identifier, noteText, reference, referenceIf, references } from "./elements.ts";

export const medication = (one: Plain<r4.Medication>): r2.Medication =>
  compact({
    resourceType: "Medication",
    ...base(one),
    ...pick(one, "code"),
    manufacturer: referenceIf(one.manufacturer),
    product: one.form && { form: one.form },
  });

const drug = (one: {
  medicationCodeableConcept?: Plain<r4.CodeableConcept> | undefined;
  medicationReference?: Plain<r4.Reference> | undefined;
}) => compact({ medicationCodeableConcept: one.medicationCodeableConcept, medicationReference: referenceIf(one.medicationReference) });

const orderStatuses = { cancelled: "stopped", unknown: "draft" };

export const medicationOrder = (one: Plain<r4.MedicationRequest>): r2.MedicationOrder =>
  compact({
    resourceType: "MedicationOrder",
    ...base(one),
    ...drug(one),
    identifier: one.identifier?.map(identifier),
    dateWritten: one.authoredOn,
    status: mapCode(one.status, orderStatuses),
    patient: reference(one.subject),
    prescriber: referenceIf(one.requester),
    encounter: referenceIf(one.encounter),
    reasonCodeableConcept: first(one.reasonCode),
    note: noteText(one.note),
    dosageInstruction: one.dosageInstruction?.map(dosageInstruction),
    dispenseRequest:
      one.dispenseRequest && pick(one.dispenseRequest, "validityPeriod", "numberOfRepeatsAllowed", "quantity", "expectedSupplyDuration"),
    priorPrescription: referenceIf(one.priorPrescription),
  });

const dispenseStatuses = { preparation: "in-progress", cancelled: "stopped", declined: "stopped", unknown: "in-progress" };

export const medicationDispense = (one: Plain<r4.MedicationDispense>): r2.MedicationDispense =>
  compact({
    resourceType: "MedicationDispense",
    ...base(one),
    ...drug(one),
    ...pick(one, "type", "quantity", "daysSupply", "whenPrepared", "whenHandedOver"),
    identifier: one.identifier?.[0] && identifier(one.identifier[0]),
    status: mapCode(one.status, dispenseStatuses),
    patient: referenceIf(one.subject),
    dispenser: referenceIf(one.performer?.[0]?.actor),
    authorizingPrescription: references(one.authorizingPrescription),
    destination: referenceIf(one.destination),
    receiver: references(one.receiver),
    note: noteText(one.note),
    dosageInstruction: one.dosageInstruction?.map(dosageInstruction),
  });

const statementStatuses = { stopped: "completed", "on-hold": "active", unknown: "active", "not-taken": "completed" };

export const medicationStatement = (one: Plain<r4.MedicationStatement>): r2.MedicationStatement =>
  compact({
    resourceType: "MedicationStatement",
    ...base(one),
    ...drug(one),
    ...pick(one, "dateAsserted", "effectiveDateTime", "effectivePeriod"),
    identifier: one.identifier?.map(identifier),
    patient: reference(one.subject),
    informationSource: referenceIf(one.informationSource),
    status: mapCode(one.status, statementStatuses) ?? "active",
    wasNotTaken: one.status === "not-taken" ? true : undefined,
    reasonForUseCodeableConcept: first(one.reasonCode),
    note: noteText(one.note),
    dosage: one.dosage?.map((dose) => {
      const { doseQuantity, doseRange, rateRatio, rateRange, text, timing, route, method, maxDosePerPeriod, asNeededBoolean } =
        dosageInstruction(dose);
      return compact({
        text,
        timing,
        route,
        method,
        maxDosePerPeriod,
        asNeededBoolean,
        quantityQuantity: doseQuantity,
        quantityRange: doseRange,
        rateRatio,
        rateRange,
      });
    }),
  });
