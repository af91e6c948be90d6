import type { SystemHealth } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import { keys, type HealthDayRow, type SystemHealthRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { recentDays, uptimeOf } from "./days.ts";
import { apiMsOf, partNames } from "./probe-parts.ts";
import { isStale } from "./status.ts";

/** What the probe left of the platform: one get and one query of at most 30 rows, at once. */
export async function readPlatform(ctx: PlatformContext): Promise<{ latest: SystemHealthRow | undefined; days: HealthDayRow[] }> {
  const [latest, days] = await allDone([ctx.platform.get(keys.systemHealth()), recentDays(ctx, keys.partitions.systemHealth)]);
  return { latest, days };
}

type PlatformParts = Pick<SystemHealth, "uptime" | "uptimeSince" | "apiResponseTime" | "databaseStatus" | "lastUpdated" | "services">;

/** What is known of the platform's own parts. */
export function partsOf(ctx: PlatformContext, latest: SystemHealthRow | undefined, days: readonly HealthDayRow[]): PlatformParts {
  const now = ctx.clock();
  const isKnown = latest !== undefined && !isStale(latest.checkedAt, now);
  const found = latest?.parts ?? Object.values(partNames).map((name) => ({ name, status: undefined, ms: null }));
  const services = found.map(({ name, status, ms }) => ({
    name,
    status: (isKnown ? status : undefined) ?? ("unknown" as const),
    responseTime: isKnown ? ms : null,
  }));
  return {
    uptime: uptimeOf(latest, days, now),
    uptimeSince: days[0]?.date ?? null,
    apiResponseTime: (isKnown ? apiMsOf(latest.parts) : undefined) ?? null,
    databaseStatus: services.find(({ name }) => name === partNames.database)?.status ?? "unknown",
    lastUpdated: latest?.checkedAt ?? null,
    services,
  };
}
