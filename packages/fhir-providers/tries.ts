import { keys, update, type TriesRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const hoursOf = Array.from({ length: 24 }, (_, hour): `h${number}` => `h${hour}`);

/** How often something was tried in this hour and on this day, UTC. */
export type Tries = { hour: number; day: number };

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
  const day = Math.floor(nowMs / dayMs);
  const hour = hoursOf[new Date(nowMs).getUTCHours()] ?? "h0";
  const expiresAt = Math.ceil(((day + 2) * dayMs) / 1000);
  const rows = await Promise.all(
    subjects.map((subject) =>
      ctx.platform.note<TriesRow>(
        update<TriesRow>(keys.tries(providerId, subject, String(day)), { add: { count: by, [hour]: by }, set: { expiresAt } }),
      ),
    ),
  );
  return rows.map((row) => ({ hour: row ? (row[hour] ?? 0) : 0, day: row ? row.count : 0 }));
}
