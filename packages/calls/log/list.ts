import type { Call, CallFilter, ListedCall } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import { type CallRow, keys, type LiveCallRow, type Page, type TenantContext } from "@vitaline/store";
import { requireOffice } from "../office.ts";
import { asCall, asListedCall, needsFollowUp, outcomeOf, startOf } from "./call-view.ts";

/** Looked at; they lie in no order of time. */
const mostLive = 500;
const shown = 100;

type CallInProgress = Pick<ListedCall, "id" | "platform" | "createdAt" | "status" | "officeId" | "agentId" | "direction">;

/** Calls that are going on, newest first, as projected about a second ago. One Query over their own rows. AppError `not_found` for another tenant's office. */
export async function callsInProgress(ctx: TenantContext, officeId?: string): Promise<CallInProgress[]> {
  const [{ rows }] = await allDone([
    ctx.store.query<LiveCallRow>(keys.tenantPartitions.live(ctx.tenantId), { limit: mostLive }),
    requireOffice(ctx, officeId),
  ]);
  return rows
    .filter((row) => officeId === undefined || row.officeId === officeId)
    .toSorted((a, b) => startOf(b).localeCompare(startOf(a)))
    .slice(0, shown)
    .map((row) => ({
      id: row.callKey,
      platform: row.platform,
      createdAt: startOf(row),
      status: row.status,
      officeId: row.officeId ?? null,
      agentId: row.agentId ?? null,
      direction: row.direction ?? null,
    }));
}

const recentCallsUsualPage = 20;

/**
 * A page of the tenant's calls, newest start first; `next` is the cursor of the page after it. Pages go by when we first heard of a
 * call, which is about when it started. One Query; of one office's calls a page may be short. AppError `not_found` for another tenant's office.
 */
export async function recentCalls(
  ctx: TenantContext,
  { limit = recentCallsUsualPage, cursor, officeId }: { limit?: number; cursor?: string; officeId?: string },
): Promise<Page<Call>> {
  const [{ rows, next }] = await allDone([
    ctx.store.query<CallRow>(keys.tenantPartitions.calls(ctx.tenantId), {
      index: "gsi1",
      descending: true,
      limit,
      cursor,
      where: officeId === undefined ? undefined : (row) => row.officeId === officeId,
    }),
    requireOffice(ctx, officeId),
  ]);
  return { rows: rows.map(asCall).toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1)), next };
}

const usualPage = 50;

type CallQuery = CallFilter & { limit?: number; cursor?: string };

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
