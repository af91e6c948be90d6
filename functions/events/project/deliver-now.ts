import { startFunction } from "@vitaline/aws";
import { envReader, errorFields, type Context } from "@vitaline/core";
import * as z from "zod/mini";

const environment = envReader(z.object({ DELIVER_FUNCTION: z.optional(z.string()) }));

/** When a tenant's delivery is to go. */
export type Due = { tenantId: string; at: string };

type Image = Record<string, unknown>;
const dueIn = (image: Image | undefined): string | undefined => {
  const dueAt = image?.["nextAttemptAt"];
  return typeof dueAt === "string" ? dueAt : undefined;
};

/** When a delivery is to go that was put down just now, or for another time; undefined where nothing of that has changed. */
export function newlyDue(tenantId: string, before: Image | undefined, after: Image | undefined): Due | undefined {
  const at = dueIn(after);
  return at === undefined || dueIn(before) === at ? undefined : { tenantId, at };
}

/** Has what is due delivered at once; where that fails, it is a minute later, when the clock starts the same for all tenants. */
export async function deliverNow(ctx: Context, due: readonly Due[]): Promise<void> {
  const { DELIVER_FUNCTION: name } = environment();
  const now = ctx.clock().toISOString();
  const tenantIds = [...new Set(due.filter(({ at }) => at <= now).map(({ tenantId }) => tenantId))];
  if (name === undefined || tenantIds.length === 0) return;
  try {
    await startFunction(name, { tenantIds });
  } catch (error) {
    ctx.log("warn", "deliver.not_started", errorFields(error));
  }
}
