import { dayRow, totalRow, type Counts } from "@vitaline/calls";
import { keys, type AuditRow, type ChainRow, type StatsRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { classOf, isRefused } from "./classes.ts";

const dayMs = 86_400_000;

/**
 * What one audit row adds to its day. Access is asked for by everybody but the platform itself: a row with a refusal is a
 * denied one, every other an allowed one, whether or not it then came to anything.
 */
export function countsOfAudit(row: Pick<AuditRow, "action" | "actorKind" | "category" | "success" | "code">): Counts {
  const { action, actorKind, success } = row;
  const denied = isRefused(row);
  const asked = actorKind !== "system";
  const signIn = action === "session.login";
  return {
    auditEvents: 1,
    securityEvents: Number(classOf(row) === "security_event"),
    accessAllowed: Number(asked && !denied),
    accessDenied: Number(asked && denied),
    logins: Number(signIn && success),
    failedLogins: Number(signIn && denied),
  };
}

/** What a chain of audit rows stands for in the totals, as its last verification found it. */
export function countsOfChain({
  rows,
  lastVerifiedAt,
  verifiedRows = 0,
  intactRows = 0,
}: Pick<ChainRow, "rows" | "lastVerifiedAt" | "verifiedRows" | "intactRows">): Counts {
  const verified = lastVerifiedAt !== undefined;
  return {
    chainedRows: rows,
    verifiedRows,
    intactRows,
    verifiedChains: Number(verified),
    intactChains: Number(verified && intactRows === verifiedRows),
  };
}

/** The platform's counters: of today, of the seven days that end with it, of thirty, and of all time. Days are UTC. */
export type PlatformCounts = { today: Counts; week: Counts; month: Counts; ever: Counts };

/** One Query of at most 31 rows, however much has happened; as projected about a second ago. */
export async function platformCounts(ctx: PlatformContext): Promise<PlatformCounts> {
  const nowMs = ctx.clock().getTime();
  const day = (before: number): string => dayRow(new Date(nowMs - before * dayMs).toISOString());
  const { rows } = await ctx.platform.query<StatsRow>(keys.partitions.platformStats, { from: day(29), to: totalRow });
  const since = (first: string): Counts => sumOf(rows.filter(({ row }) => row !== totalRow && String(row) >= first));
  return { today: since(day(0)), week: since(day(6)), month: since(day(29)), ever: sumOf(rows.filter(({ row }) => row === totalRow)) };
}

const sumOf = (rows: readonly StatsRow[]): Counts => {
  const sums: Record<string, number> = {};
  for (const [name, value] of rows.flatMap((row) => Object.entries(row)))
    if (typeof value === "number") sums[name] = (sums[name] ?? 0) + value;
  return sums;
};
