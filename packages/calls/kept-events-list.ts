import type { KeptEvent } from "@vitaline/contract";
import { keys, type KeptEventRow, type Page } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { asKeptEvent } from "./kept-events.ts";

/** A page of what is kept, of all tenants, newest first. One Query. */
export async function listKeptEvents(ctx: PlatformContext, page: { limit: number; cursor?: string }): Promise<Page<KeptEvent>> {
  const { rows, next } = await ctx.platform.query<KeptEventRow>(keys.partitions.keptEvents, { ...page, descending: true });
  return { rows: rows.map(asKeptEvent), next };
}
