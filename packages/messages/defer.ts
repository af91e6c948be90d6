import { seal } from "@vitaline/aws";
import { type OutgoingRow, put, type TenantContext } from "@vitaline/store";
import * as z from "zod/mini";
import { shortOf } from "./send-once-claim.ts";
import { placesFor } from "./limits.ts";
import { expiryOf, outgoingKey } from "./schedule.ts";
import { type About, type Asked, calendarIdOf, type MessageRequest } from "./request.ts";

export type Waiting = { request: MessageRequest; about?: About | undefined };

const maybe = z.nullable(z.string());
/** Without names, and without what its row says or can be found again, so that the row of a message stays within a write unit. */
const Packed = z.tuple([
  z.string(),
  maybe,
  z.nullable(z.tuple([z.string(), maybe, z.number(), z.boolean(), maybe])),
  z.nullable(z.tuple([z.string(), z.string(), maybe])),
]);

/** A message that is to wait, as a text to be sealed. */
export function packed({ request: { to, message, visit }, about }: Waiting): string {
  const { providerId, patientId, appointmentId } = about ?? {};
  const calendarId = appointmentId === undefined ? (visit?.calendarId ?? null) : null;
  const all: z.output<typeof Packed> = [
    to,
    message ?? null,
    visit ? [visit.start, visit.end ?? null, visit.revision, visit.cancelled ?? false, calendarId] : null,
    providerId !== undefined && patientId !== undefined ? [providerId, patientId, appointmentId ?? null] : null,
  ];
  return JSON.stringify(all);
}

/** The same message again, with what its row says of it. */
export function unpacked(text: string, { channel, purpose }: Pick<Kept, "channel" | "purpose">): Waiting {
  const [to, message, told, concerned] = z.parse(Packed, JSON.parse(text));
  const [providerId = "", patientId = "", appointmentId = null] = concerned ?? [];
  const about = concerned ? { providerId, patientId, ...(appointmentId === null ? {} : { appointmentId }) } : undefined;
  if (!told) return { request: { channel, purpose, to, ...(message === null ? {} : { message }) }, about };
  const [start, end, revision, cancelled, calendarId] = told;
  const visit = {
    calendarId: appointmentId === null ? (calendarId ?? "") : calendarIdOf(providerId, appointmentId),
    start,
    revision,
    ...(end === null ? {} : { end }),
    ...(cancelled ? { cancelled: true as const } : {}),
  };
  return { request: { channel, purpose, to, ...(message === null ? {} : { message }), visit }, about };
}

export type Kept = Extract<OutgoingRow, { kind: "message" }>;

/**
 * Keeps a message, sealed, until an instant, which it returns; asked for again before that, it is the same row. Undefined where as many
 * wait for the contact as may. One write unit.
 */
export async function keepForLater(
  ctx: TenantContext,
  { key, officeId, callKey, request, about }: Asked,
  messageId: string,
  at: Date,
): Promise<string | undefined> {
  const dueAt = at.toISOString();
  const { channel, purpose, to } = request;
  const short = shortOf(key);
  const places = placesFor(ctx.tenantId, to);
  const placeAt = (id: string) => outgoingKey({ kind: "message", id, dueAt });
  const waiting = await ctx.store.batchGet(places.map(placeAt));
  if (waiting.some((row) => row?.kind === "message" && row.key === short)) return dueAt;
  const kept: Omit<Kept, "id"> = {
    kind: "message",
    key: short,
    tenantId: ctx.tenantId,
    dueAt,
    messageId,
    channel,
    purpose,
    officeId,
    callKey,
    sealed: await seal("phi", ctx.tenantId, packed({ request, about })),
    expiresAt: expiryOf(at),
  };
  for (const id of places.filter((_, place) => !waiting[place]))
    if (await ctx.store.note(put<OutgoingRow>(placeAt(id), { ...kept, id }, { exists: false }))) return dueAt;
  return undefined;
}
