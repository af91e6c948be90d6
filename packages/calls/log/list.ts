import type { CallFilter, FilteredOutcome, ListedCall, RoutingReason } from "@vitaline/contract";
import { awaitAllThenThrow } from "@vitaline/core";
import { keys, type CallRow, type LiveCallRow, type Page, type TenantContext } from "@vitaline/store";
import { intentOf } from "../events/call-results.ts";
import { requireOffice } from "../office.ts";
import { isOver, needsFollowUp, outcomeOf, startOf, toListedCall, wasAbandoned } from "./call-view.ts";
import { withToolsSoFar } from "./tool-runs.ts";

const listPageSize = 50;
const recentPageSize = 20;
const maxShownInProgress = 100;
/** More than are shown, as these rows are not ordered by time. */
const maxReadInProgress = 500;

type CallQuery = CallFilter & { limit?: number; cursor?: string };

/**
 * A page of the tenant's calls, newest first. The order, `from` and `to` use a call's list position, not a start that its platform
 * reports later. `q` is matched case-insensitively in the ids, the ended reason and the outcome. One Query, which examines at most
 * 100 calls, so a filtered page may be short or empty and still have a next one; and one for each call in progress on the page. AppError
 * `not_found` for another tenant's office.
 */
export async function listCalls(ctx: TenantContext, query: CallQuery): Promise<Page<ListedCall>> {
  const { rows, next } = await findCalls(ctx, query);
  const now = ctx.clock();
  return { rows: rows.map((row) => toListedCall(row, now)), next };
}

/** As listCalls; `examine` is the number of rows to look at per page if there is a filter. */
export async function findCalls(
  ctx: TenantContext,
  { from, to, limit = listPageSize, cursor, ...filter }: CallQuery,
  examine?: number,
): Promise<Page<CallRow>> {
  const [page] = await awaitAllThenThrow([
    ctx.store.query<CallRow>(keys.tenantPartitions.calls(ctx.tenantId), {
      index: "gsi1",
      descending: true,
      from,
      // Positions are `instant#callKey`, so those of the last instant sort after the instant itself.
      to: to && `${to}#\uffff`,
      limit,
      cursor,
      examine,
      where: Object.values(filter).every((value) => value === undefined) ? undefined : (row) => matchesFilter(row, filter),
    }),
    requireOffice(ctx, filter.officeId),
  ]);
  const rows = await withToolsSoFar(ctx, page.rows);
  return { ...page, rows: rows.filter((row) => usedTool(row, filter.tool)) };
}

const usedTool = (row: CallRow, tool: string | undefined): boolean => tool === undefined || row.toolsUsed?.has(tool) === true;

const matchesFilter = (row: CallRow, { needsFollowUp: needed, q, ...filter }: CallFilter): boolean =>
  (filter.status === undefined || row.status === filter.status) &&
  (filter.outcome === undefined || hasOutcome(row, filter.outcome)) &&
  (filter.intent === undefined || intentOf(row) === filter.intent) &&
  (filter.loggedReason === undefined || hasLogged(row, filter.loggedReason)) &&
  (filter.result === undefined || row.results?.has(filter.result) === true) &&
  // The tools of a call in progress are read afterwards.
  (!isOver(row) || usedTool(row, filter.tool)) &&
  (filter.failedTool === undefined || row.failedTools?.has(filter.failedTool) === true) &&
  (filter.agentId === undefined || row.agentId === filter.agentId) &&
  (filter.officeId === undefined || row.officeId === filter.officeId) &&
  (filter.forwarded === undefined || row.forwarded === filter.forwarded) &&
  (needed === undefined || needsFollowUp(row) === needed) &&
  (filter.toolFailed === undefined || (row.toolFailed ?? false) === filter.toolFailed) &&
  (filter.isTest === undefined || (row.isTest ?? false) === filter.isTest) &&
  (q === undefined || containsText(row, q.toLowerCase()));

const hasOutcome = (row: CallRow, outcome: FilteredOutcome): boolean => {
  if (outcome === "ended") return isOver(row);
  return outcome === "abandoned" ? wasAbandoned(row) : outcomeOf(row) === outcome;
};

/** Older calls have the last one alone. */
const hasLogged = ({ loggedReasons, intent }: CallRow, reason: RoutingReason): boolean => loggedReasons?.has(reason) ?? intent === reason;

const containsText = ({ callKey, platformCallId, endedReason, outcome }: CallRow, lowerText: string): boolean =>
  [callKey, platformCallId, endedReason, outcome].some((text) => text?.toLowerCase().includes(lowerText));

type RecentQuery = { limit?: number; cursor?: string; officeId?: string };

/**
 * A page of the tenant's calls, newest start first within the page. Pages follow the list position. One Query, and one for each
 * call in progress on the page; with an office, a page may be short. AppError `not_found` for another tenant's office.
 */
export async function recentCalls(ctx: TenantContext, query: RecentQuery): Promise<Page<ListedCall>> {
  const { rows, next } = await recentRows(ctx, query);
  const now = ctx.clock();
  return { rows: (await withToolsSoFar(ctx, rows)).map((row) => toListedCall(row, now)), next };
}

async function recentRows(ctx: TenantContext, { limit = recentPageSize, cursor, officeId }: RecentQuery): Promise<Page<CallRow>> {
  const [{ rows, next }] = await awaitAllThenThrow([
    ctx.store.query<CallRow>(keys.tenantPartitions.calls(ctx.tenantId), {
      index: "gsi1",
      descending: true,
      limit,
      cursor,
      where: officeId === undefined ? undefined : (row) => row.officeId === officeId,
    }),
    requireOffice(ctx, officeId),
  ]);
  return { rows: rows.toSorted((a, b) => (startOf(a) < startOf(b) ? 1 : -1)), next };
}

const firstPage = 1;
const laterPage = 50;

/** When the newest call that is no test began. One Query; more where test calls are newer. */
export async function lastCallAt(ctx: TenantContext): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let page = 0; page === 0 || cursor !== undefined; page++) {
    const { rows, next } = await recentRows(ctx, {
      limit: page === 0 ? firstPage : laterPage,
      ...(cursor === undefined ? {} : { cursor }),
    });
    const last = rows.find(({ isTest }) => !isTest);
    if (last) return startOf(last);
    cursor = next;
  }
  return undefined;
}

type CallInProgress = Pick<ListedCall, "id" | "platform" | "createdAt" | "status" | "officeId" | "agentId" | "direction">;

/** Newest first, without test calls, with a projection delay of about a second. One Query. AppError `not_found` for another tenant's office. */
export async function callsInProgress(ctx: TenantContext, officeId?: string): Promise<CallInProgress[]> {
  const [{ rows }] = await awaitAllThenThrow([
    ctx.store.query<LiveCallRow>(keys.tenantPartitions.live(ctx.tenantId), { limit: maxReadInProgress }),
    requireOffice(ctx, officeId),
  ]);
  return rows
    .filter((row) => !row.isTest && (officeId === undefined || row.officeId === officeId))
    .toSorted((a, b) => startOf(b).localeCompare(startOf(a)))
    .slice(0, maxShownInProgress)
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
