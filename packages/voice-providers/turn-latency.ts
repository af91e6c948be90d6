import type { CallEvent } from "@vitaline/calls";

/** How long callers waited for the agent, of milliseconds turn by turn: in the middle of the turns, and what one in twenty took. */
export function turnLatency(turnsMs: readonly number[]): Pick<CallEvent, "latencyP50Ms" | "latencyP95Ms"> {
  const sorted = turnsMs.toSorted((a, b) => a - b);
  return sorted.length === 0 ? {} : { latencyP50Ms: percentile(sorted, 0.5), latencyP95Ms: percentile(sorted, 0.95) };
}

/** Of at least one number, by the nearest rank. */
const percentile = (sorted: readonly number[], share: number): number => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!;
