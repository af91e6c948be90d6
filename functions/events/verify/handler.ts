import { allTenantIds, verifyRecent } from "@vitaline/audit";
import { errorFields } from "@vitaline/core";
import { eventContext, type EventInvocation } from "../../lib/context/platform-context.ts";

/** Enough to finish the chain that is being verified. */
const reserveMs = 60_000;
const hourMs = 3_600_000;

/**
 * Every hour: verifies what each audit chain got since the last time. Alarms count `audit.damaged`, and a missing `verify.done`, which
 * says that all chains were verified.
 */
export const handler = async (_event: unknown, invocation: EventInvocation): Promise<void> => {
  const ctx = eventContext(invocation, "verify");
  let verified = 0;
  let failed = 0;
  const tenantIds: (string | undefined)[] = [];
  for await (const tenantId of allTenantIds(ctx.platform)) tenantIds.push(tenantId);
  // Each hour begins with others, so that a run without enough time leaves out others than the last one.
  const first = Math.floor(ctx.clock().getTime() / hourMs) % Math.max(1, tenantIds.length);
  for (const tenantId of [...tenantIds.slice(first), ...tenantIds.slice(0, first)]) {
    if (ctx.deadline.remainingMs() < reserveMs) return ctx.log("warn", "verify.unfinished", { count: verified });
    try {
      const flaws = await verifyRecent(ctx, tenantId);
      verified += 1;
      if (flaws.length > 0) ctx.log("error", "audit.damaged", { tenantId, count: flaws.length, code: flaws[0]?.kind });
    } catch (error) {
      failed += 1;
      ctx.log("error", "verify.failed", { tenantId, ...errorFields(error) });
    }
  }
  if (failed === 0) ctx.log("info", "verify.done", { count: verified });
};
