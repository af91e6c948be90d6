import type { Retention } from "@vitaline/contract";
import { endAfter, type CallRow } from "@vitaline/store";

/** The shortest period there is: a start farther back than that is a platform's mistake, or of a call from before it was connected. */
const believedMs = 30 * 86_400_000;

type Start = Pick<CallRow, "startedAt" | "keptFrom">;

/** When a call and its texts are over, by its tenant's periods: counted from its start. */
export const endsOf = ({ startedAt, keptFrom = startedAt }: Start, { calls, transcripts }: Pick<Retention, "calls" | "transcripts">) => ({
  expiresAt: endAfter(keptFrom, calls),
  textsUntil: endAfter(keptFrom, Math.min(calls, transcripts)),
});

/** The same for the first word of a call, with the time from which they are counted: a later word does not change them, whatever start it tells. */
export function firstEndsOf(
  startedAt: string,
  now: Date,
  retention: Retention,
): Required<Pick<CallRow, "expiresAt" | "textsUntil" | "keptFrom">> {
  const isBelieved = now.getTime() - Date.parse(startedAt) < believedMs;
  const keptFrom = isBelieved ? startedAt : now.toISOString();
  return { keptFrom, ...endsOf({ startedAt, keptFrom }, retention) };
}

/** When the texts of a call were over, for a reader at an instant; undefined while they are there. */
export const textsOverAt = ({ textsUntil }: Pick<CallRow, "textsUntil">, now: Date): string | undefined =>
  textsUntil !== undefined && textsUntil * 1000 <= now.getTime() ? new Date(textsUntil * 1000).toISOString() : undefined;
