import { keys } from "@vitaline/store";
import { contextFor } from "../../functions/lib/context/platform-context.ts";
import { countConnectionProbe } from "../../packages/system-health/health-days.ts";
import { hashText, seededRandom } from "../../packages/sandbox-ehr/seed/patients.ts";
import type { DemoClock } from "./clock.ts";
import type { Job } from "./job.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** On one of the days before the start the record system was out of service for some hours. */
const outage = { daysBefore: 23, fromHour: 15, toHour: 18 };
/** Days that the platform shows, and probes a day, fewer than a running platform makes. */
const [shownDays, probesOfDay] = [29, 6];
const failedShare = 0.004;

export function isOut(startDay: string, atMs: number): boolean {
  const at = new Date(atMs);
  const daysBefore = Math.round((Date.parse(`${startDay}T00:00:00Z`) - Date.parse(at.toISOString().slice(0, 10))) / dayMs);
  return daysBefore === outage.daysBefore && at.getUTCHours() >= outage.fromHour && at.getUTCHours() < outage.toHour;
}

/** Counts probes of the clinic's connections on the days that the platform shows, as events/health does. A day that is there stays. */
export async function countProbes(
  { startDay, days, origin, clinic }: Job,
  clock: DemoClock,
  recordSystem: string | undefined,
): Promise<void> {
  const request = { requestId: "history", remainingMs: 3_600_000, clientAddress: "", origin };
  const ctx = { ...contextFor(request, { kind: "system", id: "health" }, ["health"]), log: () => {} };
  const voices = Object.values(clinic.accounts).map(({ webhookUrl }) => webhookUrl.split("/").at(-1) ?? "");
  for (const id of [...(recordSystem ? [recordSystem] : []), ...voices]) {
    const random = seededRandom(hashText(`probes of ${clinic.number} ${voices.indexOf(id)}`));
    for (let before = Math.min(shownDays, days); before > 0; before--) {
      const dayStart = Date.parse(`${startDay}T00:00:00Z`) - before * dayMs;
      if (await ctx.platform.get(keys.connectionDay(id, new Date(dayStart).toISOString().slice(0, 10)))) continue;
      for (let probe = 0; probe < probesOfDay; probe++) {
        clock.set(dayStart + (probe + 0.2) * (dayMs / probesOfDay));
        const isWell = random() >= failedShare && !(id === recordSystem && isOut(startDay, clock.now()));
        await countConnectionProbe(ctx, id, isWell, Math.round(60 + 240 * random() ** 2));
      }
    }
  }
}
