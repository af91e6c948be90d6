import {
  platformAccessScope,
  platformExportScope,
  runAccessReport,
  runExport,
  tenantAccessScope,
  tenantExportScope,
} from "@vitaline/audit";
import { Id } from "@vitaline/contract";
import * as z from "zod/mini";
import { eventContext, inTenant, type EventInvocation } from "../../lib/context/platform-context.ts";
import { startShare } from "../../lib/context/share-out.ts";

const owner = { tenantId: z.optional(Id), tries: z.int() };
const Job = z.union([z.object({ exportId: Id, ...owner }), z.object({ reportId: Id, ...owner })]);

/** In this time an invocation saves the state of a report, or ends an export that does not fit. */
const reserveMs = 60_000;

/** Writes one audit export, or one report of accesses, for functions/exports. Throws when AWS refuses a write, so Lambda retries it. */
export const handler = async (event: unknown, invocation: EventInvocation): Promise<void> => {
  const job = z.parse(Job, event);
  const ctx = eventContext(invocation, "export");
  const tenant = job.tenantId ? inTenant(ctx, job.tenantId) : undefined;
  const hasTime = (): boolean => ctx.deadline.remainingMs() > reserveMs;
  if ("exportId" in job) return runExport(ctx, tenant ? tenantExportScope(tenant) : platformExportScope(ctx), job, { hasTime });
  await runAccessReport(ctx, tenant ? tenantAccessScope(tenant) : platformAccessScope(ctx), job, {
    hasTime,
    proceed: startShare,
  });
};
