import type * as r2 from "fhir/r2.js";
import type * as r4 from "fhir/r4.js";
import { compact, first, listOf, pick, type Plain, mapCode, toR4Code } from "../older.ts";
import { base, identifier, referenceIf, references } from "./elements.ts";

const payload = (parts: Plain<r4.CommunicationPayload[]> | undefined): r2.CommunicationPayload[] | undefined =>
  parts?.map((part) =>
    compact({ ...pick(part, "contentString", "contentAttachment"), contentReference: referenceIf(part.contentReference) }),
  );

const eventBefore = {
  preparation: "in-progress",
  "not-done": "rejected",
  "on-hold": "suspended",
  stopped: "failed",
  "entered-in-error": "failed",
  unknown: "in-progress",
};
const events: Record<string, r4.Communication["status"]> = {
  "in-progress": "in-progress",
  completed: "completed",
  suspended: "on-hold",
  rejected: "not-done",
  failed: "stopped",
};

export const communication = (one: Plain<r4.Communication>): r2.Communication =>
  compact({
    resourceType: "Communication",
    ...base(one),
    ...pick(one, "medium", "sent", "received"),
    identifier: one.identifier?.map(identifier),
    category: first(one.category),
    sender: referenceIf(one.sender),
    recipient: references(one.recipient),
    payload: payload(one.payload),
    status: mapCode(one.status, eventBefore),
    encounter: referenceIf(one.encounter),
    reason: one.reasonCode,
    subject: referenceIf(one.subject),
    requestDetail: referenceIf(one.basedOn?.find(({ reference }) => reference?.startsWith("CommunicationRequest/"))),
  });

export function communicationToR4({ category, reason, requestDetail, status, ...one }: r2.Communication): r4.Communication {
  return compact({
    ...one,
    status: toR4Code(status, events, "Communication.status") ?? "unknown",
    category: listOf(category),
    reasonCode: reason,
    basedOn: listOf(requestDetail),
  } as r4.Communication);
}

const requestBefore = {
  draft: "proposed",
  active: "requested",
  "on-hold": "suspended",
  revoked: "rejected",
  "entered-in-error": "failed",
  unknown: "proposed",
};
const requests: Record<string, r4.CommunicationRequest["status"]> = {
  proposed: "draft",
  planned: "draft",
  requested: "active",
  received: "active",
  accepted: "active",
  "in-progress": "active",
  completed: "completed",
  suspended: "on-hold",
  rejected: "revoked",
  failed: "entered-in-error",
};
const prioritySystem = "http://hl7.org/fhir/diagnostic-order-priority";

export const communicationRequest = (one: Plain<r4.CommunicationRequest>): r2.CommunicationRequest =>
  compact({
    resourceType: "CommunicationRequest",
    ...base(one),
    ...pick(one, "medium"),
    identifier: one.identifier?.map(identifier),
    category: first(one.category),
    sender: referenceIf(one.sender),
    recipient: references(one.recipient),
    payload: payload(one.payload),
    requester: referenceIf(one.requester),
    status: mapCode(one.status, requestBefore),
    encounter: referenceIf(one.encounter),
    scheduledDateTime: one.occurrenceDateTime,
    scheduledPeriod: one.occurrencePeriod,
    reason: one.reasonCode,
    requestedOn: one.authoredOn,
    subject: referenceIf(one.subject),
    priority: one.priority && { coding: [{ system: prioritySystem, code: one.priority }] },
  });

export function communicationRequestToR4(native: r2.CommunicationRequest): r4.CommunicationRequest {
  const { category, reason, status, scheduledDateTime, scheduledPeriod, requestedOn, priority, ...one } = native;
  return compact({
    ...one,
    status: toR4Code(status, requests, "CommunicationRequest.status") ?? "unknown",
    category: listOf(category),
    reasonCode: reason,
    occurrenceDateTime: scheduledDateTime,
    occurrencePeriod: scheduledPeriod,
    authoredOn: requestedOn,
    priority: priority?.coding?.[0]?.code as r4.CommunicationRequest["priority"],
  } as r4.CommunicationRequest);
}
