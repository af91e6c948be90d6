import { keys, put } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
// By name: through the namespace it would bring all of zod into the bundle.
import { $ZodError } from "zod/v4/core";
import type { StreamRecord } from "./event.ts";
import { sourceOf } from "./source.ts";

/** Keeps a record that the projection does not understand in its tenant's inbox; delivered again, it lies there once. */
export async function keepRefused(ctx: PlatformContext, id: string, { eventName, dynamodb }: StreamRecord, reason: Error): Promise<void> {
  const source = sourceOf(dynamodb.Keys.pk.S, dynamodb.Keys.sk.S);
  if (!source || !("tenantId" in source)) throw reason;
  const body = JSON.stringify({ eventName, dynamodb });
  await ctx.platform
    .inTenant(source.tenantId)
    .note(put(keys.inbox(id), { id, at: ctx.clock().toISOString(), from: "project", reason: reasonOf(reason), body }));
}

/** The kind of error, and the fields that are not as they should be; never what stands in them. */
const reasonOf = (error: Error): string =>
  error instanceof $ZodError ? `fields: ${error.issues.map(({ path }) => path.join(".")).join(", ")}` : error.name;
