import type * as r3 from "fhir/r3.js";
import type * as r4 from "fhir/r4.js";
import { compact, pick, type Plain, mapCode, toR4Code } from "../older.ts";
import { base } from "./elements.ts";

const eventBefore = {
  preparation: "in-progress",
  "not-done": "aborted",
  "on-hold": "suspended",
  stopped: "aborted",
  unknown: "in-progress",
};
const events: Record<string, r4.Communication["status"]> = {
  preparation: "preparation",
  "in-progress": "in-progress",
  suspended: "on-hold",
  aborted: "stopped",
  completed: "completed",
  "entered-in-error": "entered-in-error",
};

export const communication = (one: Plain<r4.Communication>): r3.Communication =>
  compact({
    resourceType: "Communication",
    ...base(one),
    ...pick(one, "identifier", "basedOn", "partOf", "category", "medium", "subject", "recipient", "sent", "received", "sender"),
    ...pick(one, "reasonCode", "reasonReference", "payload", "note"),
    status: one.status === "preparation" ? "preparation" : (mapCode(one.status, eventBefore) ?? "completed"),
    notDone: one.status === "not-done" ? true : undefined,
    context: one.encounter,
    topic: one.about,
  });

export function communicationToR4({
  context,
  topic,
  notDone,
  notDoneReason,
  definition: _definition,
  ...one
}: r3.Communication): r4.Communication {
  return compact({
    ...one,
    status: notDone ? "not-done" : toR4Code(one.status, events, "Communication.status"),
    statusReason: notDoneReason,
    encounter: context,
    about: topic,
  } as r4.Communication);
}

const requestBefore = { "on-hold": "suspended", revoked: "cancelled" };
const requests: Record<string, r4.CommunicationRequest["status"]> = {
  draft: "draft",
  active: "active",
  suspended: "on-hold",
  cancelled: "revoked",
  completed: "completed",
  "entered-in-error": "entered-in-error",
  unknown: "unknown",
};

export const communicationRequest = (one: Plain<r4.CommunicationRequest>): r3.CommunicationRequest =>
  compact({
    resourceType: "CommunicationRequest",
    ...base(one),
    ...pick(
      one,
      "identifier",
      "basedOn",
      "replaces",
      "groupIdentifier",
      "category",
      "priority",
      "medium",
      "subject",
      "recipient",
      "payload",
    ),
    ...pick(one, "occurrenceDateTime", "occurrencePeriod", "authoredOn", "sender", "reasonCode", "reasonReference", "note"),
    status: mapCode(one.status, requestBefore) ?? "unknown",
    context: one.encounter,
    topic: one.about,
    requester: one.requester && { agent: one.requester },
  });

export function communicationRequestToR4({ context, topic, requester, ...one }: r3.CommunicationRequest): r4.CommunicationRequest {
  return compact({
    ...one,
    status: toR4Code(one.status, requests, "CommunicationRequest.status"),
    encounter: context,
    about: topic,
    requester: requester?.agent,
  } as r4.CommunicationRequest);
}
