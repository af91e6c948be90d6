import { platformDesk, runExport, tenantDesk } from "@vitaline/audit";
import { Id } from "@vitaline/contract";
import * as z from "zod/mini";
import { eventContext, inTenant } from "../../lib/context.ts";
import type { Invocation } from "../../lib/event.ts";

const Job = z.object({ exportId: Id, tenantId: z.optional(Id), tries: z.int() });

/** Writes one export of the audit, asked for by functions/exports. Throws when AWS cannot take it now: Lambda then begins it again. */
export const handler = async (event: unknown, invocation: Pick<Invocation, "awsRequestId" | "getRemainingTimeInMillis">): Promise<void> => {
  const job = z.parse(Job, event);
  const ctx = eventContext(invocation, "export");
  await runExport(ctx, job.tenantId ? tenantDesk(inTenant(ctx, job.tenantId)) : platformDesk(ctx), job);
};
