import type { ToDo, ToDoCount, ToDoGroup, ToDoKind } from "@vitaline/contract";
import { formatName } from "../../lib/format/labels.ts";

const kindNames: Record<ToDoKind, string> = {
  emergency: "Emergency",
  message: "Message to the care team",
  registration: "New patient to register",
  identity_attempts: "Failed identity checks",
  proxy_on_hold: "Call for a patient whose approvals are on hold",
  visit_request: "Visit to confirm",
  unconfirmed_action: "Not confirmed by the record system",
  interpreter: "Interpreter to arrange",
  lead: "Call back",
  unanswered_call: "Unanswered call",
  unresolved_call: "Unresolved call",
  connection: "Connection problem",
};

/** Names of what a caller asked for, or of a connection; they say it all. */
const wholeNames: Readonly<Record<string, string>> = {
  refill_request: "Refill request",
  clinical_question: "Question for the care team",
  appointment_request: "Appointment request",
  billing_question: "Billing question",
  callback_request: "Callback request",
  record_system: "Record system not working",
  voice_platform: "Voice platform not working",
  webhook: "Webhook was switched off",
  no_record_system: "No record system assigned",
  tools_fail: "Tools are failing",
};

const topicNames: Readonly<Record<string, string>> = {
  medical: "told to call 911",
  self_harm: "told to call 988",
  poisoning: "told to call poison control",
  book: "booking",
  reschedule: "rescheduling",
  cancel: "cancellation",
  send: "message",
  update: "contact data",
};
/** Their topic adds nothing. */
const plainKinds: ReadonlySet<ToDoKind> = new Set(["registration", "interpreter", "visit_request"]);

/** "Emergency: told to call 911" */
export const titleOf = ({ kind, topic }: Pick<ToDo, "kind" | "topic">): string => {
  if (topic === null || topic === "other" || plainKinds.has(kind)) return kindNames[kind];
  return wholeNames[topic] ?? `${kindNames[kind]}: ${topicNames[topic] ?? formatName(topic).toLowerCase()}`;
};

export const groupNames: Record<ToDoGroup, string> = {
  emergencies: "Emergencies",
  requests: "Requests and messages",
  bookings: "Bookings",
  callbacks: "Callbacks",
  calls: "Calls",
  connections: "Connections",
};
export const readGroup = (value: string | undefined): ToDoGroup | undefined =>
  value !== undefined && Object.hasOwn(groupNames, value) ? (value as ToDoGroup) : undefined;

export const ownerNames = { "": "Anyone's", mine: "Mine", none: "Without an owner" } as const;
export type OwnerFilter = keyof typeof ownerNames;
export const readOwner = (value: string | null): OwnerFilter => (value === "mine" || value === "none" ? value : "");

export const findingNames: Record<NonNullable<ToDo["finding"]>, string> = {
  happened: "Confirmed in the record system later",
  did_not_happen: "Not in the record system",
};

export const isOverdue = ({ dueAt, doneAt }: Pick<ToDo, "dueAt" | "doneAt">, now: number): boolean =>
  doneAt === null && Date.parse(dueAt) < now;

/** "3", or "100+" */
export const countText = ({ open, hasMore }: ToDoCount): string => `${open}${hasMore ? "+" : ""}`;
