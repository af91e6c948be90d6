import type { KeptEvent } from "@vitaline/contract";
import { type KeptEventRow, keys, type Page } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { toKeptEvent } from "./kept-event.ts";

/** Kept events of all tenants, newest first. One Query. */
export async function listKeptEvents(ctx: PlatformContext, page: { limit: number; cursor?: string }): Promise<Page<KeptEvent>> {
  const { rows, next } = await ctx.platform.query<KeptEventRow>(keys.partitions.keptEvents, { ...page, descending: true });
  return { rows: rows.map(toKeptEvent), next };
}
