import type { HealthStatus, PublicHealth, ServiceHealth, StatusHistory, SystemHealth } from "@vitaline/contract";
import { awaitAllThenThrow } from "@vitaline/core";
import { type HealthDayRow, type HealthIncidentRow, keys, type PlatformDayRow, type SystemHealthRow } from "@vitaline/store";
import type { HealthContext } from "@vitaline/store/scoped.ts";
import { firstMissed, overdueProbes, recentDays, uptimeOf, windowStart, withOverdue } from "./health-days.ts";
import { apiMsOf, failingSince, partKeys, partNames } from "./probe-parts.ts";

/** Four runs of the probe. */
const staleMs = 20 * 60_000;

export const isStale = (checkedAt: string, now: Date): boolean => now.getTime() - Date.parse(checkedAt) > staleMs;

/** Unknown services are ignored: `error` if all others fail, `warning` if some do, `unknown` if there are no others. */
export function statusOf(services: readonly Pick<ServiceHealth, "status">[]): HealthStatus {
  const known = services.map(({ status }) => status).filter((status) => status !== "unknown");
  if (known.length === 0) return "unknown";
  if (known.every((status) => status === "error")) return "error";
  return known.every((status) => status === "healthy") ? "healthy" : "warning";
}

/** Only the platform's own parts can cause `error`; a failing connection causes `warning` at most. */
export function overallStatus(parts: readonly ServiceHealth[], connections: readonly HealthStatus[]): HealthStatus {
  if (parts.some(({ status }) => status === "error")) return "error";
  if (parts.every(({ status }) => status === "unknown")) return "unknown";
  return connections.some((status) => status === "error" || status === "warning") ? "warning" : "healthy";
}

/** The last probe and the daily counts: one Get and one Query of at most 30 rows, in parallel. */
export async function readPlatform(ctx: HealthContext): Promise<{ latest: SystemHealthRow | undefined; days: PlatformDayRow[] }> {
  const [latest, days] = await awaitAllThenThrow([
    ctx.platform.get(keys.systemHealth()),
    recentDays<PlatformDayRow>(ctx, keys.partitions.systemHealth),
  ]);
  return { latest, days };
}

type PlatformParts = Pick<SystemHealth, "uptime" | "uptimeSince" | "apiResponseTime" | "databaseStatus" | "lastUpdated" | "services">;

export function partsOf(ctx: HealthContext, latest: SystemHealthRow | undefined, days: readonly HealthDayRow[]): PlatformParts {
  const now = ctx.clock();
  const isKnown = latest !== undefined && !isStale(latest.checkedAt, now);
  const found = latest?.parts ?? Object.values(partNames).map((name) => ({ name, status: undefined, ms: null }));
  const services = found.map(({ name, status, ms }) => ({
    name,
    status: (isKnown ? status : undefined) ?? ("unknown" as const),
    responseTime: isKnown ? ms : null,
  }));
  return {
    uptime: uptimeOf(withOverdue(latest, days, now)),
    uptimeSince: days[0]?.date ?? null,
    apiResponseTime: (isKnown ? apiMsOf(latest.parts) : undefined) ?? null,
    databaseStatus: services.find(({ name }) => name === partNames.database)?.status ?? "unknown",
    lastUpdated: latest?.checkedAt ?? null,
    services,
  };
}

/** For unauthenticated clients: the last probe of the parts, and a read of the table now. */
export async function publicHealth(ctx: HealthContext): Promise<PublicHealth> {
  const now = ctx.clock();
  const time = now.toISOString();
  try {
    const latest = await ctx.platform.get(keys.systemHealth());
    const isBroken = latest !== undefined && !isStale(latest.checkedAt, now) && latest.parts.some(({ status }) => status === "error");
    return { status: isBroken ? "degraded" : "ok", time };
  } catch {
    return { status: "degraded", time };
  }
}

const maxIncidents = 100;

/** For unauthenticated clients, without response times that an attacker could measure by. */
export async function statusHistory(ctx: HealthContext): Promise<StatusHistory> {
  const now = ctx.clock();
  const [{ latest, days }, { rows: ended }] = await awaitAllThenThrow([
    readPlatform(ctx),
    ctx.platform.query<HealthIncidentRow>(keys.partitions.systemHealth, {
      // What began before the last 30 days may have ended in them.
      from: "INCIDENT#",
      to: `INCIDENT#${now.toISOString()}`,
      descending: true,
      limit: maxIncidents,
    }),
  ]);
  const counted = withOverdue(latest, days, now);
  return {
    uptime: uptimeOf(counted),
    days: counted.map(({ date, probes, healthy }) => ({ date, probes, successful: healthy })),
    components: partKeys.map((key) => ({
      name: partNames[key],
      days: counted.flatMap(({ date, partProbes = 0, [`ok_${key}` as const]: successful = 0 }) =>
        partProbes === 0 ? [] : [{ date, probes: partProbes, successful }],
      ),
    })),
    incidents: [
      ...(latest ? lastingIncidents(latest, now) : []),
      ...ended
        .filter(({ endedAt }) => endedAt >= windowStart(now))
        .map(({ part, startedAt, endedAt }) => ({ component: part === "probes" ? null : partNames[part], startedAt, endedAt })),
    ].toSorted((a, b) => b.startedAt.localeCompare(a.startedAt)),
  };
}

const lastingIncidents = (latest: SystemHealthRow, now: Date): StatusHistory["incidents"] => {
  const { checkedAt, parts } = latest;
  const failing = parts.filter(({ status }) => status === "error");
  return [
    ...(overdueProbes(latest, now) === 0 ? [] : [{ component: null, startedAt: firstMissed(checkedAt), endedAt: null }]),
    ...failing.map((part) => ({ component: part.name, startedAt: failingSince(part, checkedAt), endedAt: null })),
  ];
};
