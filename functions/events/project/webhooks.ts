import { Id, RoutingOutcome, RoutingReason, type WebhookEventType } from "@vitaline/contract";
import { auditCategories, type EventSource } from "@vitaline/store";
import type { CalendarChange, WebhookEvent } from "@vitaline/webhooks";
import * as z from "zod/mini";

/** After its end a call's platform says what it made of it, a while later: its webhooks wait so long for that. */
const reportWaitMs = 60_000;
/** From this rank on the report is there; see packages/calls/events/rank.ts. */
const reportedRank = 5;

const Ended = z.object({ callKey: z.string(), countedAt: z.iso.datetime(), rank: z.number() });

type Image = Record<string, unknown>;

/** A call is over once it counts, which it does once. */
export function endedCall(tenantId: string, before: Image | undefined, after: Image): WebhookEvent | undefined {
  if (before?.["countedAt"] !== undefined) return undefined;
  const { data } = z.safeParse(Ended, after);
  if (!data) return undefined;
  const { callKey, countedAt: at, rank } = data;
  const sendAt = rank >= reportedRank ? at : new Date(Date.parse(at) + reportWaitMs).toISOString();
  return { tenantId, type: "call.completed", at, sendAt, source: { kind: "call", callKey } };
}

const foreignId = z.optional(z.string().check(z.minLength(1)));
const Told = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  action: z.string(),
  category: z.enum(auditCategories),
  success: z.boolean(),
  detail: z.optional(
    z.object({
      tool: z.optional(z.string()),
      test: z.optional(z.boolean()),
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
      officeId: z.catch(z.optional(Id), undefined),
    }),
  ),
});
type Told = z.output<typeof Told>;

export type Announced = { events: WebhookEvent[]; calendar: CalendarChange[] };
const nothing: Announced = { events: [], calendar: [] };

/** What an audit row tells a tenant's own systems and calendars; nothing where it tells them nothing, or of a try in the test console. */
export function announcedBy(tenantId: string, image: Image): Announced {
  const { data: told } = z.safeParse(Told, image);
  if (!told || told.detail?.test) return nothing;
  const { id, at, category } = told;
  const source: EventSource = { kind: "audit", month: at.slice(0, 7), category, id };
  const events = typesOf(told).map((type) => ({ tenantId, type, at, sendAt: at, source }));
  return { events, calendar: changesOf(tenantId, told) };
}

/** Of appointments only what the record system has confirmed, and of those given up only what was given up just now. */
function typesOf({ action, success, detail = {} }: Told): WebhookEventType[] {
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

function appointmentType({ tool, action, booked, confirmed, appointmentId, cancelledId }: NonNullable<Told["detail"]>): WebhookEventType[] {
  if (tool !== "scheduleAppointment") return [];
  if (action === "book" && booked && appointmentId) return ["appointment.booked"];
  if (!confirmed || !cancelledId) return [];
  if (action === "reschedule" && appointmentId) return ["appointment.changed"];
  return action === "cancel" ? ["appointment.cancelled"] : [];
}

/** Whatever is given up, by whomever, is taken out; where it never was in a calendar, nothing shows. */
function changesOf(tenantId: string, { at, success, detail }: Told): CalendarChange[] {
  const { tool, fhirProviderId: providerId, appointmentId, officeId, start, end, cancelledId, cancelledStart } = detail ?? {};
  if (!success || !detail || tool !== "scheduleAppointment" || !providerId) return [];
  const about = { tenantId, providerId, at };
  const isMade = appointmentType(detail).length > 0;
  return [
    ...(isMade && appointmentId && start ? [{ ...about, kind: "made" as const, appointmentId, officeId, start, end }] : []),
    ...(cancelledId ? [{ ...about, kind: "givenUp" as const, appointmentId: cancelledId, start: cancelledStart }] : []),
  ];
}
