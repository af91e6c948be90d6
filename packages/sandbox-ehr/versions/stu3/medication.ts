import type * as r3 from "fhir/r3.js";
import type * as r4 from "fhir/r4.js";
import { compact, first, pick, type Plain, mapCode } from "../older.ts";
import { base, dosage } from "./elements.ts";

export const medication = (one: Plain<r4.Medication>): r3.Medication => ({
  resourceType: "Medication",
  ...base(one),
  ...pick(one, "code", "status", "manufacturer", "form"),
});

const intents = { "original-order": "order", "reflex-order": "order", "filler-order": "order", option: "plan" };

export const medicationRequest = (one: Plain<r4.MedicationRequest>): r3.MedicationRequest =>
  compact({
    resourceType: "MedicationRequest",
    ...base(one),
    ...pick(one, "identifier", "groupIdentifier", "status", "medicationCodeableConcept", "medicationReference", "subject", "authoredOn"),
    ...pick(one, "recorder", "reasonCode", "reasonReference", "note", "priorPrescription"),
    intent: mapCode(one.intent, intents) ?? "order",
    category: first(one.category),
    priority: mapCode(one.priority, { asap: "urgent" }),
    context: one.encounter,
    requester: one.requester && { agent: one.requester },
    dosageInstruction: one.dosageInstruction?.map(dosage),
    dispenseRequest:
      one.dispenseRequest &&
      pick(one.dispenseRequest, "validityPeriod", "numberOfRepeatsAllowed", "quantity", "expectedSupplyDuration", "performer"),
  });

const dispenseStatuses = { cancelled: "stopped", declined: "stopped", unknown: "in-progress" };

export const medicationDispense = (one: Plain<r4.MedicationDispense>): r3.MedicationDispense =>
  compact({
    resourceType: "MedicationDispense",
    ...base(one),
    ...pick(
      one,
      "identifier",
      "category",
      "medicationCodeableConcept",
      "medicationReference",
      "subject",
      "context",
      "authorizingPrescription",
    ),
    ...pick(one, "type", "quantity", "daysSupply", "whenPrepared", "whenHandedOver", "destination", "receiver", "note"),
    status: mapCode(one.status, dispenseStatuses),
    performer: one.performer?.map(({ actor }) => ({ actor })),
    dosageInstruction: one.dosageInstruction?.map(dosage),
  });

const statementStatuses = { unknown: "active", "not-taken": "completed" };

export const medicationStatement = (one: Plain<r4.MedicationStatement>): r3.MedicationStatement =>
  compact({
    resourceType: "MedicationStatement",
    ...base(one),
    ...pick(one, "identifier", "category", "medicationCodeableConcept", "medicationReference", "subject", "context", "effectiveDateTime"),
    ...pick(one, "effectivePeriod", "dateAsserted", "informationSource", "derivedFrom", "reasonCode", "reasonReference", "note"),
    status: mapCode(one.status, statementStatuses) ?? "active",
    taken: one.status === "not-taken" ? "n" : one.status === "unknown" ? "unk" : "y",
    dosage: one.dosage?.map(dosage),
  });
