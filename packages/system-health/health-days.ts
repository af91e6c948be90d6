import { type HealthDay, probeEveryMinutes } from "@vitaline/contract";
import { dayMs, utcDate } from "@vitaline/core";
import { keys, put, update, type HealthDayRow, type PlatformDayRow, type SystemHealthRow } from "@vitaline/store";
import type { HealthContext } from "@vitaline/store/scoped.ts";

const windowDays = 30;
const keptSeconds = 90 * 86_400;
/** When a row of now expires. */
export const keptUntil = (now: Date): number => Math.floor(now.getTime() / 1000) + keptSeconds;

/** Schedule: infra/stacks/api.ts. */
const probeEveryMs = probeEveryMinutes * 60_000;
const graceMs = 2 * 60_000;

/** One probe's change to its day. Only successful probes add to the response time, as a failure's duration is a timeout. */
export const countProbe = (now: Date, isHealthy: boolean, ms: number) => {
  const date = utcDate(now.getTime());
  return {
    date,
    change: {
      add: { probes: 1, healthy: isHealthy ? 1 : 0, ms: isHealthy ? ms : 0 },
      set: { date, expiresAt: keptUntil(now) },
    },
  };
};

export async function countConnectionProbe(ctx: HealthContext, id: string, isHealthy: boolean, ms: number): Promise<void> {
  const { date, change } = countProbe(ctx.clock(), isHealthy, ms);
  await ctx.platform.writeUnaudited(update(keys.connectionDay(id, date), change));
}

/** The first of the last 30 UTC days. */
export const windowStart = (now: Date): string => utcDate(now.getTime() - (windowDays - 1) * dayMs);

/** The last 30 UTC days including today, oldest first, without days that had no probes. One Query. */
export async function recentDays<Row extends HealthDayRow>(ctx: HealthContext, partition: string): Promise<Row[]> {
  const now = ctx.clock();
  const { rows } = await ctx.platform.query<Row>(partition, { from: `DAY#${windowStart(now)}`, to: `DAY#${utcDate(now.getTime())}` });
  return rows;
}

/** Number of probes that are missing between the last one and now, by day, within the last 30 days. */
export function missedSince(last: string, now: Date): Map<string, number> {
  const missed = new Map<string, number>();
  const latest = now.getTime() - probeEveryMs / 2;
  for (let due = Date.parse(last) + probeEveryMs; due < latest; due += probeEveryMs) {
    if (due < now.getTime() - windowDays * dayMs) continue;
    missed.set(utcDate(due), (missed.get(utcDate(due)) ?? 0) + 1);
  }
  return missed;
}

/** One write per day, and one of the incident. */
export async function countMissed(ctx: HealthContext, last: string): Promise<void> {
  const now = ctx.clock();
  const expiresAt = keptUntil(now);
  const missed = missedSince(last, now);
  for (const [date, probes] of missed)
    await ctx.platform.writeUnaudited(
      update(keys.healthDay(date), { add: { probes, healthy: 0, partProbes: probes }, set: { date, expiresAt } }),
    );
  const startedAt = firstMissed(last);
  if (missed.size > 0)
    await ctx.platform.writeUnaudited(
      put(keys.healthIncident(startedAt, "probes"), { part: "probes", startedAt, endedAt: now.toISOString(), expiresAt }),
    );
}

/** When the probe after the last one was due. */
export const firstMissed = (last: string): string => new Date(Date.parse(last) + probeEveryMs).toISOString();

/** Probes that are overdue now. */
export const overdueProbes = ({ checkedAt }: SystemHealthRow, now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - Date.parse(checkedAt) - graceMs) / probeEveryMs));

type CountedDay = Omit<PlatformDayRow, "expiresAt">;

/** The days, with the probes that are overdue now: no component has passed them. */
export function withOverdue(latest: SystemHealthRow | undefined, days: readonly CountedDay[], now: Date): CountedDay[] {
  if (!latest) return [...days];
  const counted = new Map(days.map((day) => [day.date, day]));
  const start = windowStart(now);
  for (let at = overdueProbes(latest, now); at > 0; at--) {
    const date = utcDate(Date.parse(latest.checkedAt) + at * probeEveryMs);
    if (date < start) break;
    const day = counted.get(date) ?? { date, probes: 0, healthy: 0 };
    counted.set(date, { ...day, probes: day.probes + 1, partProbes: (day.partProbes ?? 0) + 1 });
  }
  return [...counted.values()].toSorted((one, other) => (one.date < other.date ? -1 : 1));
}

/** Percent, as defined by SystemHealth.uptime, of days with the probes that are overdue now. */
export function uptimeOf(days: readonly Pick<HealthDayRow, "probes" | "healthy">[]): number | null {
  const due = days.reduce((sum, { probes }) => sum + probes, 0);
  const healthy = days.reduce((sum, day) => sum + day.healthy, 0);
  return due === 0 ? null : Math.floor((healthy / due) * 10_000) / 100;
}

export const toHealthDay = ({ date, probes, healthy, ms = 0 }: HealthDayRow): HealthDay => ({
  date,
  probes,
  successful: healthy,
  averageMs: healthy === 0 ? null : Math.round(ms / healthy),
});
