import type { AuditLog, AuditQuery, AuditRange, PlatformAuditLog } from "@vitaline/contract";
import { allDone, notFound } from "@vitaline/core";
import { auditCategories, type AuditRow, keys, type Page, type TenantContext, type UserDirectoryRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { actOf } from "../log/describe.ts";
import { feedLog } from "../feed/feed.ts";
import { filterOf } from "./filter.ts";
import { type Names, namesFor, viewerOf } from "../log/display-names.ts";
import { type Log, readLog, type Wanted } from "../log/read-log.ts";

const dayMs = 86_400_000;
const days: Readonly<Record<AuditRange, number>> = { "24hours": 1, "7days": 7, "30days": 30, "90days": 90 };
const usualPage = 50;
/** Of a tenant with more users, the names of some are not shown. */
const namedUsers = 500;

const ofCategory =
  ({ actionType }: Pick<AuditQuery, "actionType">) =>
  ({ category }: Pick<AuditRow, "category">): boolean =>
    actionType === "all" || category === actionType;

const wantedOf = ({ timeRange, limit = usualPage, cursor }: AuditQuery, now: Date): Omit<Wanted, "keep"> => ({
  from: new Date(now.getTime() - days[timeRange] * dayMs),
  until: now,
  limit,
  cursor,
});

const categoriesOf = ({ actionType }: AuditQuery) => (actionType === "all" ? auditCategories : [actionType]);

/** A row as answers show it. What the platform does by itself has no actor and comes from no address. */
const asAuditLog = (row: AuditRow, actorName?: string): AuditLog => ({
  id: row.id,
  createdAt: row.at,
  actorKind: row.actorKind as AuditLog["actorKind"],
  actorId: row.actorKind === "system" ? null : row.actorId,
  actorName,
  actionType: row.category,
  action: row.action,
  act: actOf(row),
  resourceType: row.resourceType,
  resourceId: row.resourceId ?? null,
  ipAddress: row.clientAddress || null,
  success: row.success,
  code: row.code ?? null,
  requestId: row.requestId,
  detail: row.detail ?? {},
});

const asPlatformAuditLog = (row: AuditRow, names: Names): PlatformAuditLog => ({
  ...asAuditLog(row, names.actorOf(row)),
  tenantId: row.tenantId ?? null,
  tenantName: names.tenantOf(row) ?? null,
});

/**
 * A page of the tenant's own audit log, newest first. One round trip: four Queries, or one for an action type, and one for
 * the users' names; one more trip for each month that the page reaches back over. That it was read is audited.
 */
export async function tenantAuditLogs(ctx: TenantContext, query: AuditQuery): Promise<Page<AuditLog>> {
  let users: Promise<Page<UserDirectoryRow>> | undefined;
  const names = new Map<string, string>();
  const log: Log = {
    name: `TENANT#${ctx.tenantId}#AUDIT`,
    partitionsOf: (month) => categoriesOf(query).map((category) => keys.tenantPartitions.audit(ctx.tenantId, month, category)),
    // The names are there when the first rows are, as a search looks into them too.
    query: async (partition, range) => {
      users ??= ctx.store.query(keys.tenantPartitions.users(ctx.tenantId), { limit: namedUsers });
      const [page, { rows }] = await allDone([ctx.store.query(partition, range), users]);
      for (const { id, firstName, lastName, email } of rows) names.set(id, `${firstName} ${lastName}`.trim() || email);
      return page as never;
    },
  };
  const nameOf = (row: AuditRow): string | undefined => viewerOf(row) ?? names.get(row.actorId);
  const { rows, next } = await readLog(log, { ...wantedOf(query, ctx.clock()), keep: filterOf(query, (row) => [nameOf(row)]) });
  await ctx.store.commit([], { ...read, resourceId: ctx.tenantId, detail: { rows: rows.length } });
  return { rows: rows.map((row) => asAuditLog(row, nameOf(row))), next };
}

const read = { category: "data_query", action: "audit.read", resourceType: "AuditLog" } as const;

/**
 * For system administrators: a page of the platform's feed, or with `tenantId` of that tenant's own log. One round trip, as
 * above, and one for the names of actors and tenants: of the page's rows, or of all that a search looks at. That it was read
 * is audited: in the log that was read. AppError `not_found` for an unknown tenant.
 */
export async function platformAuditLogs(
  ctx: PlatformContext,
  { tenantId, ...query }: AuditQuery & { tenantId?: string },
): Promise<Page<PlatformAuditLog>> {
  const names = namesFor(ctx);
  const filter = filterOf(query, (row) => [names.actorOf(row), names.tenantOf(row)]);
  const wanted = { ...wantedOf(query, ctx.clock()), ...(query.search === undefined ? {} : { learn: names.learn }) };
  const store = tenantId === undefined ? ctx.platform : ctx.platform.inTenant(tenantId);
  const [{ rows, next }, isKnown] = await allDone(
    tenantId === undefined
      ? [readLog(feedLog(ctx), { ...wanted, keep: filtersBoth(query, filter) }), true]
      : [readLog(ofTenant(ctx, tenantId, query), { ...wanted, keep: filter }), ctx.platform.inTenant(tenantId).get(keys.tenantConfig())],
  );
  if (!isKnown) throw notFound();
  await allDone([store.commit([], { ...read, resourceId: tenantId, detail: { rows: rows.length } }), names.learn(rows)]);
  return { rows: rows.map((row) => asPlatformAuditLog(row, names)), next };
}

const ofTenant = (ctx: PlatformContext, tenantId: string, query: AuditQuery): Log => ({
  name: `PLATFORM#${tenantId}#AUDIT`,
  partitionsOf: (month) => categoriesOf(query).map((category) => keys.tenantPartitions.audit(tenantId, month, category)),
  query: (partition, range) => ctx.platform.query(partition, range),
});

/** The feed lies by chance, not by category, so there the category is a filter like the others. */
const filtersBoth = (query: AuditQuery, filter: Wanted["keep"]): Wanted["keep"] => {
  if (query.actionType === "all") return filter;
  const fits = ofCategory(query);
  return (row) => fits(row) && (filter?.(row) ?? true);
};
