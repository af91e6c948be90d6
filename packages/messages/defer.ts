import { seal } from "@vitaline/aws";
import { Language } from "@vitaline/contract";
import { outgoingKey, type OutgoingRow, put, type TenantContext } from "@vitaline/store";
import * as z from "zod/mini";
import { waitingRowIds } from "./limits.ts";
import { calendarIdOf, type MessageRequest, type MessageSubject, type SendRequest, type Visit } from "./request.ts";
import { outgoingExpiry } from "./outgoing.ts";
import { shortKey } from "./send-reservation.ts";

export type DeferredRow = Extract<OutgoingRow, { kind: "message" }>;

export type DeferredMessage = { request: MessageRequest; about?: MessageSubject | undefined };

/**
 * Stores a sealed message to be sent at an instant, which it returns; a repeated request finds the same row. Undefined if the
 * maximum number of messages is already waiting for the contact. One write unit.
 */
export async function deferMessage(
  ctx: TenantContext,
  { key, officeId, callKey, request, about }: SendRequest,
  messageId: string,
  at: Date,
): Promise<{ dueAt: string; messageId: string } | undefined> {
  const dueAt = at.toISOString();
  const { channel, purpose, to } = request;
  const rowIds = waitingRowIds(ctx.tenantId, to);
  const rowKey = (id: string) => outgoingKey({ kind: "message", id, dueAt });
  const waiting = await ctx.store.batchGet(rowIds.map(rowKey));
  for (const row of waiting) if (row?.kind === "message" && row.key === shortKey(key)) return { dueAt, messageId: row.messageId };
  const row: Omit<DeferredRow, "id"> = {
    kind: "message",
    key: shortKey(key),
    tenantId: ctx.tenantId,
    dueAt,
    messageId,
    channel,
    purpose,
    officeId,
    callKey,
    sealed: await seal("phi", ctx.tenantId, encodeDeferred({ request, about })),
    expiresAt: outgoingExpiry(at),
  };
  for (const id of rowIds.filter((_, index) => !waiting[index]))
    if (await ctx.store.writeUnaudited(put<OutgoingRow>(rowKey(id), { ...row, id }, { exists: false }))) return { dueAt, messageId };
  return undefined;
}

const nullableText = z.nullable(z.string());
/** A tuple without field names and without values that the row has or that can be derived, so that the row fits into one write unit. */
const Encoded = z.tuple([
  z.string(),
  nullableText,
  z.nullable(z.tuple([z.string(), nullableText, z.number(), z.boolean(), nullableText, z.optional(z.string())])),
  z.nullable(z.tuple([z.string(), z.string(), nullableText])),
  z.optional(Language),
]);

type EncodedVisit = NonNullable<z.output<typeof Encoded>[2]>;

function encodeVisit({ start, end, revision, cancelled, place }: Visit, calendarId: string | null): EncodedVisit {
  const encoded: EncodedVisit = [start, end ?? null, revision, cancelled ?? false, calendarId];
  if (place !== undefined) encoded.push(place);
  return encoded;
}

export function encodeDeferred({ request: { to, message, visit, language }, about }: DeferredMessage): string {
  const { providerId, patientId, appointmentId } = about ?? {};
  const calendarId = appointmentId === undefined ? (visit?.calendarId ?? null) : null;
  const encoded: z.output<typeof Encoded> = [
    to,
    message ?? null,
    visit ? encodeVisit(visit, calendarId) : null,
    providerId !== undefined && patientId !== undefined ? [providerId, patientId, appointmentId ?? null] : null,
  ];
  if (language) encoded.push(language);
  return JSON.stringify(encoded);
}

export function decodeDeferred(text: string, { channel, purpose }: Pick<DeferredRow, "channel" | "purpose">): DeferredMessage {
  const [to, message, encodedVisit, encodedAbout, language] = z.parse(Encoded, JSON.parse(text));
  const [providerId = "", patientId = "", appointmentId = null] = encodedAbout ?? [];
  const about = encodedAbout ? { providerId, patientId, ...(appointmentId === null ? {} : { appointmentId }) } : undefined;
  const request = { channel, purpose, to, ...(language ? { language } : {}), ...(message === null ? {} : { message }) };
  if (!encodedVisit) return { request, about };
  const [start, end, revision, cancelled, calendarId, place] = encodedVisit;
  const visit = {
    calendarId: appointmentId === null ? (calendarId ?? "") : calendarIdOf(providerId, appointmentId),
    start,
    revision,
    ...(end === null ? {} : { end }),
    ...(cancelled ? { cancelled: true as const } : {}),
    ...(place === undefined ? {} : { place }),
  };
  return { request: { ...request, visit }, about };
}
