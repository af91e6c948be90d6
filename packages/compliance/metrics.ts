import { describeAction, latestUserEntries, platformCounts, userNames } from "@vitaline/audit";
import type { ComplianceMetrics, UserActivity } from "@vitaline/contract";
import { awaitAllThenThrow } from "@vitaline/core";
import { currentHealth, readFhirProviders } from "@vitaline/fhir-providers";
import { keys } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { checksOf } from "./checks.ts";

const percent = (part: number, whole: number): number | null => (whole === 0 ? null : (part / whole) * 100);

const definitions = {
  auditScore: "Of the rows that the last verification of the audit archive looked at, those that it found unaltered",
  dataIntegrity: "Of the audit chains that were verified, one for each tenant and one for the platform, those found intact",
  accessControl: "Of all access asked for in the last 30 days, that which was allowed: allowed / (allowed + denied)",
} as const;

/**
 * Percentages from counters, and a list of checks; one round trip. Denied access: failed sign-ins, requests that the user's role
 * does not allow, and identity checks and tool runs denied for lack of identity. Allowed access: all other audit rows except the
 * system's own. Requests without valid credentials (no or expired token, unknown key) are not audited and count as neither.
 */
export async function complianceMetrics(ctx: PlatformContext): Promise<ComplianceMetrics> {
  const [counts, chain, providers] = await awaitAllThenThrow([
    platformCounts(ctx),
    ctx.platform.get(keys.platformChain()),
    readFhirProviders(ctx),
  ]);
  const active = providers.filter(({ row }) => row.isActive);
  const { verifiedRows = 0, intactRows = 0, verifiedChains = 0, intactChains = 0 } = counts.ever;
  const { accessAllowed = 0, accessDenied = 0 } = counts.month;
  return {
    auditScore: percent(intactRows, verifiedRows),
    dataIntegrity: percent(intactChains, verifiedChains),
    accessControl: percent(accessAllowed, accessAllowed + accessDenied),
    definitions,
    checks: checksOf({ now: ctx.clock(), counts, chain, probes: active.map(({ row, health }) => currentHealth(row, health)) }),
  };
}

/** Today's sign-ins, from counters, and the latest actions of users, from the feed: one round trip, plus one for names. */
export async function userActivity(ctx: PlatformContext, limit: number): Promise<UserActivity> {
  const [{ today }, rows] = await awaitAllThenThrow([platformCounts(ctx), latestUserEntries(ctx, limit)]);
  const names = await userNames(ctx, [...new Set(rows.map(({ actorId }) => actorId))]);
  return {
    activeUsers: today["activeUsers"] ?? 0,
    loginCount: today["logins"] ?? 0,
    failedLogins: today["failedLogins"] ?? 0,
    dayBoundary: "UTC",
    recentActions: rows.map((row) => ({
      id: row.id,
      action: row.action,
      description: describeAction(row),
      actorId: row.actorId,
      actorName: names.get(row.actorId),
      timestamp: row.at,
    })),
  };
}
