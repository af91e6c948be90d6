import { keys, put, remove } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";
import type { Image } from "../../../lib/dynamodb-stream/stream-event.ts";

const Numbered = z.object({
  callKey: z.string(),
  startedAt: z.iso.datetime(),
  numberHash: z.string(),
  expiresAt: z.number(),
  textsUntil: z.optional(z.number()),
});
type Place = Pick<z.infer<typeof Numbered>, "callKey" | "startedAt" | "numberHash">;

/** A change of the rows that find a call by its number. */
export type CallNumberChange = { tenantId: string; gone?: Place; kept?: Place & { expiresAt: number } };

const placeOf = (image: Image | undefined): (Place & { expiresAt: number }) | undefined => {
  const { data } = z.safeParse(Numbered, image);
  if (!data) return undefined;
  const { callKey, startedAt, numberHash, expiresAt, textsUntil = expiresAt } = data;
  return { callKey, startedAt, numberHash, expiresAt: textsUntil };
};

/** undefined: the rows do not change. An erased call has no number any more. */
export function callNumberChange(tenantId: string, before: Image | undefined, after: Image): CallNumberChange | undefined {
  const [old, now] = [placeOf(before), placeOf(after)];
  const isMoved = old?.numberHash !== now?.numberHash;
  if (!isMoved && old?.expiresAt === now?.expiresAt) return undefined;
  return { tenantId, ...(old && isMoved ? { gone: old } : {}), ...(now ? { kept: now } : {}) };
}

/** In the order of the stream, so that a redelivered batch ends as the first time. One write per call, unless its number or period changes. */
export async function projectCallNumbers(ctx: PlatformContext, changes: readonly CallNumberChange[]): Promise<void> {
  const keyOf = ({ numberHash, startedAt, callKey }: Place) => keys.callOfNumber(numberHash, startedAt, callKey);
  for (const { tenantId, gone, kept } of changes) {
    const store = ctx.platform.inTenant(tenantId);
    if (gone) await store.writeUnaudited(remove(keyOf(gone)));
    if (kept) await store.writeUnaudited(put(keyOf(kept), { callKey: kept.callKey, expiresAt: kept.expiresAt }));
  }
}
