import { seal } from "@vitaline/aws";
import { put, type OutgoingRow, type TenantContext } from "@vitaline/store";
import { shortOf } from "./claim.ts";
import { placesFor } from "./limits.ts";
import { expiryOf, outgoingKey } from "./outgoing.ts";
import { packed } from "./packed.ts";
import type { Asked } from "./request.ts";

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
