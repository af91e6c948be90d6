import type { CallFilter, ListedCall } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import { keys, type CallRow, type Page, type TenantContext } from "@vitaline/store";
import { requireOffice } from "./office.ts";
import { asListedCall, needsFollowUp, outcomeOf } from "./present.ts";

const usualPage = 50;

export type CallQuery = CallFilter & { limit?: number; cursor?: string };

/**
 * A page of the tenant's calls that pass the filters, newest first: both the order and `from` and `to` go by a call's place, which
 * the first word of it fixes, also where its platform names another start later. One Query, which looks at 100 calls at most, so a page
 * may be short or empty and still have a next one. `q` is found in any case, in the ids, the ended reason and the outcome.
 * AppError `not_found` for another tenant's office.
 */
export async function listCalls(ctx: TenantContext, query: CallQuery): Promise<Page<ListedCall>> {
  const { rows, next } = await findCalls(ctx, query);
  return { rows: rows.map(asListedCall), next };
}

/** The rows of it; `examine` is how many calls are looked at where there are filters. */
export async function findCalls(
  ctx: TenantContext,
  { from, to, limit = usualPage, cursor, ...filter }: CallQuery,
  examine?: number,
): Promise<Page<CallRow>> {
  const [page] = await allDone([
    ctx.store.query<CallRow>(keys.tenantPartitions.calls(ctx.tenantId), {
      index: "gsi1",
      descending: true,
      // A place is its start and the call's key, so what begins with the last instant lies behind it.
      from,
      to: to && `${to}#\uffff`,
      limit,
      cursor,
      examine,
      where: Object.values(filter).every((value) => value === undefined) ? undefined : (row) => passes(row, filter),
    }),
    requireOffice(ctx, filter.officeId),
  ]);
  return page;
}

const passes = (row: CallRow, { status, outcome, agentId, officeId, forwarded, needsFollowUp: needed, q }: CallFilter): boolean =>
  (status === undefined || row.status === status) &&
  (outcome === undefined || outcomeOf(row) === outcome) &&
  (agentId === undefined || row.agentId === agentId) &&
  (officeId === undefined || row.officeId === officeId) &&
  (forwarded === undefined || row.forwarded === forwarded) &&
  (needed === undefined || needsFollowUp(row) === needed) &&
  (q === undefined || mentions(row, q.toLowerCase()));

const mentions = ({ callKey, platformCallId, endedReason, outcome }: CallRow, lowerText: string): boolean =>
  [callKey, platformCallId, endedReason, outcome].some((text) => text?.toLowerCase().includes(lowerText));
