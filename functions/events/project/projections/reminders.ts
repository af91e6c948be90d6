import { Id, Language } from "@vitaline/contract";
import { sha256In } from "@vitaline/core";
import { outgoingExpiry, remindBeforeMs } from "@vitaline/messages";
import { create, outgoingKey, type OutgoingRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";
import type { Image } from "../../../lib/dynamodb-stream/stream-event.ts";

export type ReminderFact = Extract<OutgoingRow, { kind: "reminder" }>;

const BookingAudit = z.object({
  at: z.iso.datetime(),
  success: z.boolean(),
  callKey: z.optional(z.string()),
  detail: z.object({
    tool: z.literal("scheduleAppointment"),
    appointmentId: z.string().check(z.minLength(1)),
    start: z.iso.datetime(),
    fhirProviderId: z.string(),
    officeId: z.catch(z.optional(Id), undefined),
    language: z.catch(z.optional(Language), undefined),
  }),
});

/** The reminder for a booked appointment more than a day ahead. It is due at once; events/remind then computes its time. */
export function readReminder(tenantId: string, image: Image): ReminderFact | undefined {
  const { data } = z.safeParse(BookingAudit, image);
  if (!data?.success) return undefined;
  const { at, callKey, detail } = data;
  const { appointmentId, start, fhirProviderId: providerId, officeId, language } = detail;
  if (Date.parse(start) - remindBeforeMs <= Date.parse(at)) return undefined;
  return {
    kind: "reminder",
    tenantId,
    id: sha256In("reminder", providerId, appointmentId, start).slice(0, 40),
    dueAt: at,
    providerId,
    appointmentId,
    start,
    officeId,
    callKey,
    ...(language ? { language } : {}),
    expiresAt: outgoingExpiry(new Date(start)),
  };
}

/** Creates each reminder once. A redelivered one finds its message already scheduled. */
export async function projectReminders(ctx: PlatformContext, reminders: readonly ReminderFact[]): Promise<void> {
  for (const row of reminders) await ctx.platform.inTenant(row.tenantId).writeUnaudited(create<OutgoingRow>(outgoingKey(row), row));
}
