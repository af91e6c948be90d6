import type { CallView, CallViews } from "@vitaline/contract";
import { keys, nextVersion, put, retryOnStale, type TenantContext } from "@vitaline/store";

/** The user's own saved filters. */
export async function readCallViews(ctx: TenantContext): Promise<CallViews> {
  const row = await ctx.store.get(keys.callViews(ctx.actor.id));
  return { views: row?.views ?? [], version: row?.version ?? 1 };
}

/** AppError `stale_version`. */
export const saveCallViews = (ctx: TenantContext, views: CallView[], ifMatch: number | undefined): Promise<CallViews> =>
  retryOnStale(ifMatch, async () => {
    const key = keys.callViews(ctx.actor.id);
    const row = await ctx.store.get(key);
    const { version } = nextVersion(row ?? {}, ifMatch);
    await ctx.store.commit([put(key, { views, version }, row ? { equals: { version: row.version } } : { absent: ["version"] })], {
      category: "configuration_change",
      action: "callViews.save",
      resourceType: "User",
      resourceId: ctx.actor.id,
      detail: { views: views.length, version },
    });
    return { views, version };
  });
