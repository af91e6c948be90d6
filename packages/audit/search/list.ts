import type { AuditLog, AuditQuery, AuditRange, PlatformAuditLog } from "@vitaline/contract";
import { AppError, awaitAllThenThrow, notFound, dayMs } from "@vitaline/core";
import { auditCategories, fullName, keys, type AuditRow, type Page, type TenantContext, type UserDirectoryRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { feedLog, feedSeconds } from "../feed/feed.ts";
import { actionText } from "../log/describe.ts";
import { displayNames, type DisplayNames, userNameInTenant } from "../log/display-names.ts";
import { readLog, type Log, type LogQuery } from "../log/read-log.ts";
import { anyPeriod, periodBounds } from "../log/period.ts";
import { rowFilter } from "./filter.ts";

const rangeDays: Readonly<Record<AuditRange, number>> = { "24hours": 1, "7days": 7, "30days": 30, "90days": 90 };
const pageSize = 50;
/** In tenants with more users, some names are not shown. */
const maxNamedUsers = 500;

const readAudit = { category: "data_query", action: "audit.read", resourceType: "AuditLog" } as const;

/**
 * A page of the tenant's own audit log, newest first; audited. One round trip (four Queries, or one for an action type, and one for
 * user names), plus one for each further month that the page reaches back, and one Get for days of one's own. AppError
 * `invalid_request` for invalid days.
 */
export async function tenantAuditLogs(ctx: TenantContext, query: AuditQuery): Promise<Page<AuditLog>> {
  let users: Promise<Page<UserDirectoryRow>> | undefined;
  const names = new Map<string, string>();
  const log: Log = {
    name: `TENANT#${ctx.tenantId}#AUDIT`,
    partitionsOf: (month) => categoriesOf(query).map((category) => keys.tenantPartitions.audit(ctx.tenantId, month, category)),
    // Names are loaded together with the first rows, because a search looks in them too.
    query: async (partition, range) => {
      users ??= ctx.store.query(keys.tenantPartitions.users(ctx.tenantId), { limit: maxNamedUsers });
      const [page, { rows }] = await awaitAllThenThrow([ctx.store.query(partition, range), users]);
      for (const user of rows) names.set(user.id, fullName(user));
      return page as never;
    },
  };
  const actorName = (row: AuditRow): string | undefined => userNameInTenant(row, names);
  const range = await rangeOf(query, ctx.clock(), async () => (await ctx.store.get(keys.tenantConfig()))?.createdAt);
  const { rows, next } = await readLog(log, { ...range, keep: rowFilter(query, (row) => [actorName(row)]) });
  await ctx.store.commit([], { ...readAudit, resourceId: ctx.tenantId, detail: { rows: rows.length } });
  return { rows: rows.map((row) => toAuditLog(row, actorName(row))), next };
}

/**
 * For system administrators: a page of the platform's feed, or with `tenantId` of that tenant's log; audited in the log that was
 * read. Round trips as above, plus one for names: of the page's rows, or of all rows that a search examines. AppError `not_found`
 * for an unknown tenant, `invalid_request` for invalid days, and for those that the feed no longer has.
 */
export async function platformAuditLogs(
  ctx: PlatformContext,
  { tenantId, ...query }: AuditQuery & { tenantId?: string },
): Promise<Page<PlatformAuditLog>> {
  const names = displayNames(ctx);
  const filter = rowFilter(query, (row) => [names.actorName(row), names.tenantName(row)]);
  const store = tenantId === undefined ? ctx.platform : ctx.platform.inTenant(tenantId);
  const begin = async () =>
    tenantId === undefined ? undefined : (await ctx.platform.inTenant(tenantId).get(keys.tenantConfig()))?.createdAt;
  const asked = await rangeOf(query, ctx.clock(), begin);
  if (tenantId === undefined) refuseBeforeFeed(asked, ctx.clock());
  const range = { ...asked, ...(query.search === undefined ? {} : { beforeKeep: names.load }) };
  const [{ rows, next }, isKnown] = await awaitAllThenThrow(
    tenantId === undefined
      ? [readLog(feedLog(ctx), { ...range, keep: withCategory(query, filter) }), true]
      : [readLog(tenantLog(ctx, tenantId, query), { ...range, keep: filter }), ctx.platform.inTenant(tenantId).get(keys.tenantConfig())],
  );
  if (!isKnown) throw notFound();
  await awaitAllThenThrow([store.commit([], { ...readAudit, resourceId: tenantId, detail: { rows: rows.length } }), names.load(rows)]);
  return { rows: rows.map((row) => toPlatformAuditLog(row, names)), next };
}

const tenantLog = (ctx: PlatformContext, tenantId: string, query: AuditQuery): Log => ({
  name: `PLATFORM#${tenantId}#AUDIT`,
  partitionsOf: (month) => categoriesOf(query).map((category) => keys.tenantPartitions.audit(tenantId, month, category)),
  query: (partition, range) => ctx.platform.query(partition, range),
});

const categoriesOf = ({ actionType }: AuditQuery) => (actionType === "all" ? auditCategories : [actionType]);

/** The feed is not partitioned by category, so there the category is part of the filter. */
const withCategory = ({ actionType }: AuditQuery, filter: LogQuery["keep"]): LogQuery["keep"] =>
  actionType === "all" ? filter : (row) => row.category === actionType && (filter?.(row) ?? true);

/** `createdAt`: when the tenant was created. Nothing is older, so days of one's own do not search years without rows. */
const rangeOf = async (
  { timeRange, start, end, timeZone = "UTC", limit = pageSize, cursor }: AuditQuery,
  now: Date,
  createdAt: () => Promise<string | undefined>,
): Promise<Omit<LogQuery, "keep">> => {
  if (start === undefined && end === undefined)
    return { from: new Date(now.getTime() - rangeDays[timeRange] * dayMs), until: now, limit, cursor };
  const { fromMs, untilMs } = periodBounds(anyPeriod({ start, end, timeZone }, now));
  const created = await createdAt();
  const beginMs = created === undefined ? fromMs : Math.max(fromMs, Date.parse(created) - dayMs);
  return { from: new Date(beginMs), until: new Date(Math.min(untilMs - 1, now.getTime())), limit, cursor };
};

/** A day that the feed has in part is shown. */
const refuseBeforeFeed = ({ from }: Pick<LogQuery, "from">, now: Date): void => {
  if (from.getTime() > now.getTime() - feedSeconds * 1000 - 2 * dayMs) return;
  const message = "This list of all organizations has the last 90 days. Choose an organization, or export a report.";
  throw new AppError("invalid_request", message, { fields: { start: message } });
};

const toAuditLog = (row: AuditRow, actorName?: string): AuditLog => ({
  id: row.id,
  createdAt: row.at,
  actorKind: row.actorKind as AuditLog["actorKind"],
  actorId: row.actorKind === "system" ? null : row.actorId,
  actorName,
  actionType: row.category,
  action: row.action,
  act: actionText(row),
  resourceType: row.resourceType,
  resourceId: row.resourceId ?? null,
  ipAddress: row.clientAddress || null,
  success: row.success,
  code: row.code ?? null,
  requestId: row.requestId,
  callId: row.callKey,
  patientIds: row.patients?.map(({ id }) => id),
  detail: row.detail ?? {},
});

const toPlatformAuditLog = (row: AuditRow, names: DisplayNames): PlatformAuditLog => ({
  ...toAuditLog(row, names.actorName(row)),
  tenantId: row.tenantId ?? null,
  tenantName: names.tenantName(row) ?? null,
});
