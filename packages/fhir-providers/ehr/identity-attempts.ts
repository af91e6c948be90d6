import { dayMs } from "@vitaline/core";
import { keys, type IdentityAttemptsRow, update } from "@vitaline/store";
import type { EhrRegistryContext } from "@vitaline/store/scoped.ts";

const hourMs = 3_600_000;
const weekMs = 7 * dayMs;
const daysOf = Array.from({ length: 7 }, (_, day): `d${number}` => `d${day}`);

export type AttemptCounts = { hour: number; day: number; days: number[] };

/**
 * Counts an attempt (1), or takes one back (-1), for each subject (a keyed hash) at this record system, across tenants. One write each.
 * Returns the counts of this UTC hour, this day, and each day of this week since the epoch.
 */
export async function countAttempts(
  ctx: EhrRegistryContext,
  providerId: string,
  subjects: readonly string[],
  at: Date,
  by: 1 | -1,
): Promise<AttemptCounts[]> {
  const nowMs = at.getTime();
  const week = Math.floor(nowMs / weekMs);
  const intoWeekMs = nowMs - week * weekMs;
  const [day, hour] = [`d${Math.floor(intoWeekMs / dayMs)}`, `h${Math.floor(intoWeekMs / hourMs)}`] as const;
  const expiresAt = Math.ceil(((week + 2) * weekMs) / 1000);
  const rows = await Promise.all(
    subjects.map((subject) =>
      ctx.platform.writeUnaudited<IdentityAttemptsRow>(
        update<IdentityAttemptsRow>(keys.identityAttempts(providerId, subject, String(week)), {
          add: { [day]: by, [hour]: by },
          set: { expiresAt },
        }),
      ),
    ),
  );
  return rows.map((row) => ({ hour: row?.[hour] ?? 0, day: row?.[day] ?? 0, days: daysOf.map((each) => row?.[each] ?? 0) }));
}
