import { Id } from "@vitaline/contract";
import { newId } from "@vitaline/core";
import { keys, pagesOf, retentionRequest, type RetentionRunRow, type TenantDirectoryRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { checkAfter, spreadCheck, troubleCheck } from "@vitaline/tasks";
import * as z from "zod/mini";
import { eventContext, inTenant, type EventInvocation } from "../../lib/context/platform-context.ts";
import { applyRetention } from "./apply-retention.ts";

/** From functions/events/retry. The daily schedule sends neither field. */
const Job = z.object({ tenantId: z.optional(Id), retentionId: z.optional(Id) });

/**
 * Applies a tenant's retention periods to its stored rows. Once a day, requests that for tenants without any application, and for those
 * whose last one did not fill in the calls' evidence, the list of work, and which tools failed in them; and has each tenant checked for
 * trouble, in case no change of a row told of it.
 * Throws when AWS refuses a write; functions/events/retry then starts it again.
 */
export const handler = async (event: unknown, invocation: EventInvocation): Promise<void> => {
  const { tenantId, retentionId } = z.parse(Job, event);
  const ctx = eventContext(invocation, "retain");
  if (tenantId === undefined || retentionId === undefined) return requestForAll(ctx);
  await applyRetention({ ...ctx, ...inTenant(ctx, tenantId), platform: ctx.platform.inTenant(tenantId) }, retentionId);
};

async function requestForAll(ctx: PlatformContext): Promise<void> {
  const checkedFrom = checkAfter(ctx.clock().toISOString());
  let checks = 0;
  for await (const rows of pagesOf<TenantDirectoryRow>(ctx.platform, partitions.tenantDirectory)) {
    // The partition also lists offices.
    for (const { id } of rows.filter((row) => "organizationType" in row)) {
      const store = ctx.platform.inTenant(id);
      await store.writeUnaudited(troubleCheck(id, spreadCheck(checkedFrom, checks++)));
      const last = await store.get(keys.retentionRun());
      if (last && (fillsAll(last) || last.doneAt === undefined)) continue;
      const now = ctx.clock();
      const [run, due] = retentionRequest(id, newId(now.getTime()), now);
      // The due row first: without one, the request would never be processed.
      await store.writeUnaudited(due);
      await store.writeUnaudited({ ...run, when: last ? { equals: { id: last.id } } : { exists: false } });
    }
  }
}

const fillsAll = ({ fillsEvidence, fillsToDo, fillsToolFailed, fillsFailedTools }: RetentionRunRow): boolean =>
  [fillsEvidence, fillsToDo, fillsToolFailed, fillsFailedTools].every(Boolean);
