import { invokeAsync } from "@vitaline/aws";
import { hasReport } from "@vitaline/calls";
import { Id, RoutingOutcome, RoutingReason, type WebhookEventType } from "@vitaline/contract";
import { envReader, errorFields, type Context } from "@vitaline/core";
import { auditCategories, type DeliverySource } from "@vitaline/store";
import type { CalendarChange, WebhookEvent } from "@vitaline/webhooks";
import * as z from "zod/mini";
import type { Image } from "../../../lib/dynamodb-stream/stream-event.ts";

/** How long `call.completed` waits for the platform's report on an ended call. */
const reportWaitMs = 60_000;

const EndedCall = z.object({ callKey: z.string(), endSeenAt: z.iso.datetime(), rank: z.number() });

/** The event of a call that just ended: `endSeenAt` is set once. */
export function readCallEnd(tenantId: string, before: Image | undefined, after: Image): WebhookEvent | undefined {
  if (before?.["endSeenAt"] !== undefined) return undefined;
  const { data } = z.safeParse(EndedCall, after);
  if (!data) return undefined;
  const { callKey, endSeenAt: at, rank } = data;
  const sendAt = hasReport(rank) ? at : new Date(Date.parse(at) + reportWaitMs).toISOString();
  return { tenantId, type: "call.completed", at, sendAt, source: { kind: "call", callKey } };
}

const ChangedTask = z.object({
  id: Id,
  version: z.number(),
  callKey: z.optional(z.string()),
  closedAt: z.optional(z.iso.datetime()),
});
/** The stream tells when a row changed in whole seconds. */
const lastOfSecondMs = 999;

/** The event of a task that was closed or reopened, or has a finding. `changedAt`: when the row changed. */
export function readTaskChange(
  tenantId: string,
  before: Image | undefined,
  after: Image | undefined,
  changedAt: string | undefined,
): WebhookEvent | undefined {
  const [old, now] = [z.safeParse(ChangedTask, before).data, z.safeParse(ChangedTask, after).data];
  if (!old || !now || old.version === now.version || changedAt === undefined) return undefined;
  const { id: taskId, version, callKey, closedAt } = now;
  const isClosed = closedAt !== undefined && closedAt !== old.closedAt;
  const at = isClosed ? closedAt : new Date(Date.parse(changedAt) + lastOfSecondMs).toISOString();
  return { tenantId, type: "task.updated", at, sendAt: changedAt, source: { kind: "task", taskId, version, callKey } };
}

const foreignId = z.optional(z.string().check(z.minLength(1)));
const AuditedAction = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  action: z.string(),
  category: z.enum(auditCategories),
  success: z.boolean(),
  resourceId: z.catch(z.optional(z.string()), undefined),
  detail: z.optional(
    z.object({
      tool: z.optional(z.string()),
      test: z.optional(z.boolean()),
      testCall: z.optional(z.boolean()),
      action: z.optional(z.string()),
      booked: z.optional(z.boolean()),
      confirmed: z.optional(z.boolean()),
      fhirProviderId: foreignId,
      appointmentId: foreignId,
      start: z.catch(z.optional(z.iso.datetime()), undefined),
      end: z.catch(z.optional(z.iso.datetime()), undefined),
      cancelledId: foreignId,
      cancelledStart: z.catch(z.optional(z.iso.datetime()), undefined),
      reason: z.catch(z.optional(RoutingReason), undefined),
      outcome: z.catch(z.optional(RoutingOutcome), undefined),
      leadId: foreignId,
      taskId: foreignId,
      promisedTaskId: foreignId,
      officeId: z.catch(z.optional(Id), undefined),
      /** Of an item of the list of work: the row that left it. */
      source: z.catch(z.optional(z.string()), undefined),
    }),
  ),
});
type AuditedAction = z.output<typeof AuditedAction>;

export type BusinessEvents = { events: WebhookEvent[]; calendar: CalendarChange[] };

/** The webhook events and calendar changes of an audit row; none for runs in the test console and in test calls. */
export function readBusinessEvents(tenantId: string, image: Image): BusinessEvents {
  const { data } = z.safeParse(AuditedAction, image);
  if (!data || data.detail?.test || data.detail?.testCall) return { events: [], calendar: [] };
  const { id, at, category } = data;
  const source: Extract<DeliverySource, { kind: "audit" }> = { kind: "audit", month: at.slice(0, 7), category, id };
  const events = eventTypes(data).map((type): WebhookEvent => ({ tenantId, type, at, sendAt: at, source }));
  // A task's item has the task's id. What else is done to a task changes its row.
  if (data.action === "toDo.update" && data.detail?.source === "task")
    events.push({ tenantId, type: "task.updated", at, sendAt: at, source: { ...source, taskId: data.resourceId } });
  const second = data.detail?.promisedTaskId;
  if (second) events.push({ tenantId, type: "task.created", at, sendAt: at, source: { ...source, taskId: second } });
  return { events, calendar: calendarChanges(tenantId, data) };
}

function eventTypes({ action, success, detail = {} }: AuditedAction): WebhookEventType[] {
  if (action === "lead.create") return success ? ["lead.captured"] : [];
  const { tool, leadId, taskId, reason, outcome } = detail;
  const task = taskId ? (["task.created"] as const) : [];
  if (!success || tool === undefined) return [...task];
  return [
    ...task,
    ...appointmentType(detail),
    ...(leadId ? (["lead.captured"] as const) : []),
    ...(tool === "logRoutingEvent" && reason && outcome ? (["routing.logged"] as const) : []),
  ];
}

/** Only changes that the EHR confirmed, and only cancellations made by this run. */
function appointmentType(detail: NonNullable<AuditedAction["detail"]>): WebhookEventType[] {
  const { tool, action, booked, confirmed, appointmentId, cancelledId } = detail;
  if (tool !== "scheduleAppointment") return [];
  if (action === "book" && booked && appointmentId) return ["appointment.booked"];
  if (!confirmed || !cancelledId) return [];
  if (action === "reschedule" && appointmentId) return ["appointment.changed"];
  return action === "cancel" ? ["appointment.cancelled"] : [];
}

/** Cancelled appointments leave the calendar even when they were booked elsewhere. */
function calendarChanges(tenantId: string, { at, success, detail }: AuditedAction): CalendarChange[] {
  const { tool, fhirProviderId: providerId, appointmentId, officeId, start, end, cancelledId, cancelledStart } = detail ?? {};
  if (!success || !detail || tool !== "scheduleAppointment" || !providerId) return [];
  const about = { tenantId, providerId, at };
  const isBooked = appointmentType(detail).length > 0;
  return [
    ...(isBooked && appointmentId && start ? [{ ...about, kind: "booked" as const, appointmentId, officeId, start, end }] : []),
    ...(cancelledId ? [{ ...about, kind: "cancelled" as const, appointmentId: cancelledId, start: cancelledStart }] : []),
  ];
}

export type DueDelivery = { tenantId: string; at: string };

const nextAttemptIn = (image: Image | undefined): string | undefined => {
  const at = image?.["nextAttemptAt"];
  return typeof at === "string" ? at : undefined;
};

/** The next attempt of a new or rescheduled delivery; undefined when its time has not changed. */
export function readDueDelivery(tenantId: string, before: Image | undefined, after: Image | undefined): DueDelivery | undefined {
  const at = nextAttemptIn(after);
  return at === undefined || nextAttemptIn(before) === at ? undefined : { tenantId, at };
}

const environment = envReader(z.object({ DELIVER_FUNCTION: z.optional(z.string()) }));

/** Starts functions/events/deliver for tenants with deliveries due now. If that fails, the minute schedule delivers them. */
export async function startDueDeliveries(ctx: Context, due: readonly DueDelivery[]): Promise<void> {
  const { DELIVER_FUNCTION: name } = environment();
  const now = ctx.clock().toISOString();
  const tenantIds = [...new Set(due.filter(({ at }) => at <= now).map(({ tenantId }) => tenantId))];
  if (name === undefined || tenantIds.length === 0) return;
  try {
    await invokeAsync(name, { tenantIds });
  } catch (error) {
    ctx.log("warn", "deliver.not_started", errorFields(error));
  }
}
