import * as z from "zod/mini";
import { CallOutcome, CallStatus, ListedCall } from "../calls/calls.ts";
import { changedLine, Id, Instant, Nothing, optionalLine, PageQuery } from "../http/fields.ts";
import { RoutingOutcome, RoutingReason } from "../calls/routing.ts";
import { optionally } from "../http/query.ts";
import { routes } from "../http/route.ts";
import { TaskFinding, TaskKind } from "../calls/tasks.ts";

const eventTypes = [
  "call.completed",
  "appointment.booked",
  "appointment.changed",
  "appointment.cancelled",
  "lead.captured",
  "task.created",
  "task.updated",
  "routing.logged",
] as const;
/** Events a webhook can subscribe to. */
export const WebhookEventType = z.enum(eventTypes);
export type WebhookEventType = z.infer<typeof WebhookEventType>;

/** An event, or a test by an administrator. */
export const DeliveryType = z.enum([...eventTypes, "webhook.test"]);
export type DeliveryType = z.infer<typeof DeliveryType>;

const office = z.nullable(z.object({ id: Id, name: z.nullable(z.string()) }));
const callId = z.nullable(z.string());
const appointment = z.object({
  /** The EHR's ids of appointment and patient, and our id of the connection. */
  appointmentId: z.string(),
  patientId: z.nullable(z.string()),
  fhirProviderId: z.nullable(Id),
  status: z.enum(["booked", "cancelled"]),
  start: z.nullable(Instant),
  end: z.nullable(Instant),
  /** The appointment that was rescheduled. */
  previous: z.nullable(z.object({ appointmentId: z.string(), start: z.nullable(Instant) })),
  office,
  callId,
});
const payloadOf = <const Type extends DeliveryType, Data extends z.ZodMiniType>(type: Type, data: Data) =>
  z.object({ type: z.literal(type), timestamp: Instant, data });

/**
 * The payload in the form of Standard Webhooks; `timestamp`: when the event happened. It contains no patient data, except a
 * lead's `contact` if the tenant has enabled it. An event may arrive more than once with the same `webhook-id`, and events of
 * one appointment in any order. Source: github.com/standard-webhooks/standard-webhooks, spec, "Payload structure".
 */
export const WebhookPayload = z.discriminatedUnion("type", [
  payloadOf(
    "call.completed",
    z.object({
      callId: z.string(),
      platform: ListedCall.shape.platform,
      platformCallId: z.nullable(z.string()),
      direction: ListedCall.shape.direction,
      agentId: z.nullable(z.string()),
      office,
      status: CallStatus,
      startedAt: Instant,
      endedAt: z.nullable(Instant),
      durationSeconds: z.nullable(z.number()),
      endedReason: z.nullable(z.string()),
      /** The outcome for the caller, as in the call log. */
      outcome: z.nullable(CallOutcome),
      abandoned: ListedCall.shape.abandoned,
      toolsUsed: z.array(z.string()),
    }),
  ),
  payloadOf("appointment.booked", appointment),
  payloadOf("appointment.changed", appointment),
  payloadOf("appointment.cancelled", appointment),
  payloadOf(
    "lead.captured",
    z.object({
      leadId: Id,
      office,
      callId,
      contact: z.nullable(z.object({ name: z.string(), phone: z.nullable(z.string()), email: z.nullable(z.string()), reason: z.string() })),
    }),
  ),
  payloadOf("task.created", z.object({ taskId: Id, kind: TaskKind, dueAt: Instant, office, callId })),
  /** A task was closed, reopened, given to someone or noted on, or has a finding; as it is when the event is first sent. */
  payloadOf(
    "task.updated",
    z.object({
      taskId: Id,
      kind: TaskKind,
      dueAt: Instant,
      office,
      callId,
      /** null: it is open. */
      closedAt: z.nullable(Instant),
      finding: z.nullable(TaskFinding),
      /** The user who took it over. */
      ownerId: z.nullable(Id),
      hasNote: z.boolean(),
    }),
  ),
  payloadOf("routing.logged", z.object({ reason: RoutingReason, outcome: RoutingOutcome, leadId: z.nullable(z.string()), office, callId })),
  payloadOf("webhook.test", z.object({ webhookId: Id })),
]);
export type WebhookPayload = z.infer<typeof WebhookPayload>;

/** `disabledReason`: the platform disabled it, because the receiver answered 410 Gone or failed for days. */
export const Webhook = z.object({
  id: Id,
  url: z.string(),
  events: z.array(WebhookEventType),
  description: z.nullable(z.string()),
  /** Payloads include names and phone numbers of leads. */
  includeContact: z.boolean(),
  isActive: z.boolean(),
  disabledReason: z.nullable(z.enum(["gone", "failing"])),
  /** Since when all deliveries have failed; null while they succeed. */
  failingSince: z.nullable(Instant),
  createdAt: Instant,
  version: z.number(),
});
export type Webhook = z.infer<typeof Webhook>;

const url = z
  .string("Address is required")
  .check(z.trim(), z.maxLength(1000, "Must be at most 1000 characters"), z.url("Must be a valid URL"));
const events = z.array(WebhookEventType).check(
  z.minLength(1, "At least one event is required"),
  z.maxLength(eventTypes.length),
  z.overwrite((given) => [...new Set(given)]),
);

export const NewWebhook = z.strictObject({ url, events, description: optionalLine(200), includeContact: z._default(z.boolean(), false) });
export type NewWebhook = z.output<typeof NewWebhook>;

/** Absent keeps the value. */
export const ChangedWebhook = z.strictObject({
  url: z.optional(url),
  events: z.optional(events),
  description: changedLine(200),
  includeContact: z.optional(z.boolean()),
  isActive: z.optional(z.boolean()),
});
export type ChangedWebhook = z.output<typeof ChangedWebhook>;

/** The secret is shown only once. */
export const CreatedWebhook = z.extend(Webhook, { secret: z.string() });
export type CreatedWebhook = z.infer<typeof CreatedWebhook>;
/** Until `previousUntil` deliveries are signed with the previous secret as well. */
export const RotatedWebhookSecret = z.object({ secret: z.string(), previousUntil: Instant });
export type RotatedWebhookSecret = z.infer<typeof RotatedWebhookSecret>;

export const DeliveryStatus = z.enum(["pending", "delivered", "failed"]);
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

/** A delivery with its last attempts, newest last. `code`: why it failed. Response bodies are not stored. */
export const WebhookDelivery = z.object({
  id: Id,
  webhookId: Id,
  type: DeliveryType,
  status: DeliveryStatus,
  /** When the event happened. */
  createdAt: Instant,
  nextAttemptAt: z.nullable(Instant),
  code: z.nullable(z.string()),
  attempts: z.array(z.object({ at: Instant, ms: z.number(), httpStatus: z.nullable(z.number()), code: z.nullable(z.string()) })),
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

const OfWebhook = z.object({ webhookId: Id });

export const webhooks = routes({
  listWebhooks: {
    method: "GET",
    path: "/api/tenant/webhooks",
    auth: "tenant_admin",
    summary: "The tenant's webhooks, oldest first",
    response: z.array(Webhook),
  },
  createWebhook: {
    method: "POST",
    path: "/api/tenant/webhooks",
    auth: "tenant_admin",
    summary: "Add a webhook, at most ten; only this answer has its signing secret",
    status: 201,
    noStore: true,
    body: NewWebhook,
    response: CreatedWebhook,
  },
  updateWebhook: {
    method: "PUT",
    path: "/api/tenant/webhooks/{webhookId}",
    auth: "tenant_admin",
    summary: "Change a webhook, or switch it on or off; omitted fields stay",
    params: OfWebhook,
    body: ChangedWebhook,
    response: Webhook,
  },
  deleteWebhook: {
    method: "DELETE",
    path: "/api/tenant/webhooks/{webhookId}",
    auth: "tenant_admin",
    summary: "Delete a webhook and its undelivered events",
    status: 204,
    params: OfWebhook,
    response: Nothing,
  },
  rotateWebhookSecret: {
    method: "POST",
    path: "/api/tenant/webhooks/{webhookId}/rotate-secret",
    auth: "tenant_admin",
    summary: "Rotate the signing secret, shown once; for a day, deliveries carry both signatures",
    noStore: true,
    params: OfWebhook,
    response: RotatedWebhookSecret,
  },
  testWebhook: {
    method: "POST",
    path: "/api/tenant/webhooks/{webhookId}/test",
    auth: "tenant_admin",
    summary: "Send an event of type webhook.test; the deliveries show the result",
    status: 202,
    params: OfWebhook,
    response: WebhookDelivery,
  },
  listWebhookDeliveries: {
    method: "GET",
    path: "/api/tenant/webhook-deliveries",
    auth: "tenant_admin",
    summary: "Deliveries of the last thirty days with their attempts, newest first; the next page is in Link",
    query: z.extend(PageQuery, { webhookId: optionally(Id), status: optionally(DeliveryStatus) }),
    response: z.array(WebhookDelivery),
  },
  replayWebhookDelivery: {
    method: "POST",
    path: "/api/tenant/webhook-deliveries/{deliveryId}/replay",
    auth: "tenant_admin",
    summary: "Send a delivery again, with the same bytes and webhook-id; contact data only if still enabled",
    status: 202,
    params: z.object({ deliveryId: Id }),
    response: WebhookDelivery,
  },
});
