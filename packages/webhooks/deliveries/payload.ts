import { outcomeOf, startOf, wasAbandoned } from "@vitaline/calls";
import { Id, RoutingOutcome, RoutingReason, type WebhookPayload } from "@vitaline/contract";
import { awaitAllThenThrow } from "@vitaline/core";
import { unsealLeadContact } from "@vitaline/leads";
import { keys, type DeliveryRow, type DeliverySource, type TenantContext, type WebhookRow } from "@vitaline/store";
import * as z from "zod/mini";

type PayloadOf<Type extends WebhookPayload["type"]> = Extract<WebhookPayload, { type: Type }>;
type AppointmentType = `appointment.${"booked" | "changed" | "cancelled"}`;

/** Built from the current data of the event; undefined if that was deleted. */
export async function payloadOf(
  ctx: TenantContext,
  { type, at, source }: Pick<DeliveryRow, "type" | "at" | "source">,
  webhook: WebhookRow,
): Promise<WebhookPayload | undefined> {
  if (type === "webhook.test") return { type, timestamp: at, data: { webhookId: webhook.id } };
  if (type === "call.completed") return source?.kind === "call" ? callPayload(ctx, at, source.callKey) : undefined;
  if (type === "task.updated") return source && source.kind !== "call" ? changedTaskPayload(ctx, at, source.taskId ?? "") : undefined;
  const event = source?.kind === "audit" ? await readAudit(ctx, source) : undefined;
  if (!event) return undefined;
  switch (type) {
    case "lead.captured":
      return leadPayload(ctx, at, event, webhook);
    case "task.created":
      return taskPayload(ctx, at, event, source);
    case "routing.logged":
      return routingPayload(ctx, at, event);
    case "appointment.booked":
    case "appointment.changed":
    case "appointment.cancelled":
      return appointmentPayload(ctx, type, at, event);
  }
}

const text = z.catch(z.optional(z.string()), undefined);
const Detail = z.object({
  officeId: z.catch(z.optional(Id), undefined),
  fhirProviderId: z.catch(z.optional(Id), undefined),
  appointmentId: text,
  start: text,
  end: text,
  cancelledId: text,
  cancelledStart: text,
  reason: z.catch(z.optional(RoutingReason), undefined),
  outcome: z.catch(z.optional(RoutingOutcome), undefined),
  leadId: text,
  taskId: text,
});
const Row = z.object({ resourceType: z.string(), resourceId: text, callKey: text, detail: z.optional(Detail) });
type AuditedEvent = Omit<z.output<typeof Row>, "detail"> & { detail: z.output<typeof Detail> };

async function readAudit(
  ctx: TenantContext,
  { month, category, id }: Extract<DeliverySource, { kind: "audit" }>,
): Promise<AuditedEvent | undefined> {
  const row = await ctx.store.get(keys.audit(month, category, id));
  if (!row) return undefined;
  const { detail = {}, ...event } = z.parse(Row, row);
  return { ...event, detail };
}

async function officeOf(ctx: TenantContext, officeId: string | undefined): Promise<{ id: string; name: string | null } | null> {
  if (!officeId) return null;
  const office = await ctx.store.get(keys.office(officeId));
  return { id: officeId, name: office?.name ?? null };
}

async function callPayload(ctx: TenantContext, timestamp: string, callKey: string): Promise<PayloadOf<"call.completed"> | undefined> {
  const call = await ctx.store.get(keys.call(callKey));
  if (!call) return undefined;
  return {
    type: "call.completed",
    timestamp,
    data: {
      callId: callKey,
      platform: call.platform,
      platformCallId: call.platformCallId ?? null,
      direction: call.direction ?? null,
      agentId: call.agentId ?? null,
      office: await officeOf(ctx, call.officeId),
      status: call.status,
      startedAt: startOf(call),
      endedAt: call.endedAt ?? null,
      durationSeconds: call.durationSeconds ?? null,
      endedReason: call.endedReason ?? null,
      outcome: outcomeOf(call) ?? null,
      abandoned: wasAbandoned(call),
      toolsUsed: [...(call.toolsUsed ?? [])].toSorted(),
    },
  };
}

async function appointmentPayload(
  ctx: TenantContext,
  type: AppointmentType,
  timestamp: string,
  { resourceType, resourceId, callKey, detail }: AuditedEvent,
): Promise<PayloadOf<AppointmentType> | undefined> {
  const { appointmentId, start, end, cancelledId, cancelledStart, fhirProviderId, officeId } = detail;
  const cancelled = cancelledId === undefined ? null : { appointmentId: cancelledId, start: cancelledStart ?? null };
  const booked = appointmentId === undefined ? null : { appointmentId, start: start ?? null };
  const isCancelled = type === "appointment.cancelled";
  const appointment = isCancelled ? cancelled : booked;
  if (!appointment) return undefined;
  return {
    type,
    timestamp,
    data: {
      ...appointment,
      end: isCancelled ? null : (end ?? null),
      status: isCancelled ? "cancelled" : "booked",
      previous: type === "appointment.changed" ? cancelled : null,
      patientId: resourceType === "Patient" ? (resourceId ?? null) : null,
      fhirProviderId: fhirProviderId ?? null,
      office: await officeOf(ctx, officeId),
      callId: callKey ?? null,
    },
  };
}

async function routingPayload(
  ctx: TenantContext,
  timestamp: string,
  { callKey, detail }: AuditedEvent,
): Promise<PayloadOf<"routing.logged"> | undefined> {
  const { reason, outcome, leadId = null, officeId } = detail;
  if (!reason || !outcome) return undefined;
  return {
    type: "routing.logged",
    timestamp,
    data: { reason, outcome, leadId, office: await officeOf(ctx, officeId), callId: callKey ?? null },
  };
}

async function taskPayload(
  ctx: TenantContext,
  timestamp: string,
  { callKey, detail }: AuditedEvent,
  source: DeliverySource | undefined,
): Promise<PayloadOf<"task.created"> | undefined> {
  const id = (source?.kind === "audit" && source.taskId) || detail.taskId;
  const task = id && (await ctx.store.get(keys.task(id)));
  if (!task) return undefined;
  const { id: taskId, kind, dueAt, officeId = detail.officeId } = task;
  return {
    type: "task.created",
    timestamp,
    data: { taskId, kind, dueAt, office: await officeOf(ctx, officeId), callId: callKey ?? null },
  };
}

async function changedTaskPayload(ctx: TenantContext, timestamp: string, id: string): Promise<PayloadOf<"task.updated"> | undefined> {
  const [task, item] = await awaitAllThenThrow([ctx.store.get(keys.task(id)), ctx.store.get(keys.toDo(id))]);
  if (!task) return undefined;
  const { id: taskId, kind, dueAt, officeId, callKey, closedAt = null, finding = null } = task;
  const change = { closedAt, finding, ownerId: item?.ownerId ?? null, hasNote: item?.sealedNote !== undefined };
  return {
    type: "task.updated",
    timestamp,
    data: { taskId, kind, dueAt, office: await officeOf(ctx, officeId), callId: callKey ?? null, ...change },
  };
}

const leadIdOf = ({ resourceType, resourceId, detail }: AuditedEvent): string | undefined =>
  detail.leadId ?? (resourceType === "Lead" ? resourceId : undefined);

const auditContact = (ctx: TenantContext, leadId: string, webhookId: string, callKey: string | undefined): Promise<void> =>
  ctx.store.commit([], {
    category: "patient_access",
    action: "lead.send",
    resourceType: "Lead",
    resourceId: leadId,
    callKey,
    detail: { webhookId },
  });

export async function auditReplayedContact(ctx: TenantContext, { source, webhookId }: DeliveryRow): Promise<void> {
  const event = source?.kind === "audit" ? await readAudit(ctx, source) : undefined;
  const leadId = event && leadIdOf(event);
  if (leadId) await auditContact(ctx, leadId, webhookId, event.callKey);
}

/** Contact data is sent only with `includeContact`, and audited before. */
async function leadPayload(
  ctx: TenantContext,
  timestamp: string,
  event: AuditedEvent,
  { id: webhookId, includeContact }: WebhookRow,
): Promise<PayloadOf<"lead.captured"> | undefined> {
  const { callKey, detail } = event;
  const leadId = leadIdOf(event);
  const lead = leadId && (await ctx.store.get(keys.lead(leadId)));
  if (!lead) return undefined;
  const contact = includeContact ? await unsealLeadContact(ctx, lead) : undefined;
  if (contact) await auditContact(ctx, lead.id, webhookId, callKey);
  return {
    type: "lead.captured",
    timestamp,
    data: {
      leadId: lead.id,
      office: await officeOf(ctx, lead.officeId ?? detail.officeId),
      callId: callKey ?? null,
      contact: contact ? { name: contact.name, phone: contact.phone, email: contact.email, reason: lead.reason } : null,
    },
  };
}
