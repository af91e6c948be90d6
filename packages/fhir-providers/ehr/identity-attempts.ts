import { keys, type TriesRow, update } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;
const daysOf = Array.from({ length: 7 }, (_, day): `d${number}` => `d${day}`);

/** How often something was tried in this hour, on this day, and on each of the days of this week of the epoch, UTC. */
export type Tries = { hour: number; day: number; days: number[] };

/**
 * Counts a try (1), or one that was none after all (-1), for each subject: at this record system, whichever tenant's lines it is tried
 * on. Subjects are keyed hashes. One write unit each.
 */
export async function countTries(
  ctx: PlatformContext,
  providerId: string,
  subjects: readonly string[],
  at: Date,
  by: 1 | -1,
): Promise<Tries[]> {
  const nowMs = at.getTime();
  const week = Math.floor(nowMs / weekMs);
  const intoWeekMs = nowMs - week * weekMs;
  const [day, hour] = [`d${Math.floor(intoWeekMs / dayMs)}`, `h${Math.floor(intoWeekMs / hourMs)}`] as const;
  const expiresAt = Math.ceil(((week + 2) * weekMs) / 1000);
  const rows = await Promise.all(
    subjects.map((subject) =>
      ctx.platform.note<TriesRow>(
        update<TriesRow>(keys.tries(providerId, subject, String(week)), { add: { [day]: by, [hour]: by }, set: { expiresAt } }),
      ),
    ),
  );
  return rows.map((row) => ({ hour: row?.[hour] ?? 0, day: row?.[day] ?? 0, days: daysOf.map((each) => row?.[each] ?? 0) }));
}
