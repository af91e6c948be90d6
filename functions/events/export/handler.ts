import { platformExportScope, runExport, tenantExportScope } from "@vitaline/audit";
import { Id } from "@vitaline/contract";
import * as z from "zod/mini";
import { eventContext, inTenant, type EventInvocation } from "../../lib/context/platform-context.ts";

const Job = z.object({ exportId: Id, tenantId: z.optional(Id), tries: z.int() });

/** Writes one audit export for functions/exports. Throws when AWS refuses a write, so Lambda retries it. */
export const handler = async (event: unknown, invocation: EventInvocation): Promise<void> => {
  const job = z.parse(Job, event);
  const ctx = eventContext(invocation, "export");
  await runExport(ctx, job.tenantId ? tenantExportScope(inTenant(ctx, job.tenantId)) : platformExportScope(ctx), job);
};
