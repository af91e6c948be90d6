import type { CallEvent } from "@vitaline/calls";
import type { CallReport } from "@vitaline/contract";

/** A call as its own client reports it, where the platform reports none. */
export const reportedCall = ({ cost, latency, transcript, ...report }: CallReport): CallEvent => ({
  ...present(report),
  platform: report.platform,
  callId: report.callId,
  status: report.status,
  ...(cost ? { costAmount: cost.amount, costCurrency: cost.currency } : {}),
  ...present({ latencyP50Ms: latency?.p50Ms, latencyP95Ms: latency?.p95Ms }),
  ...(transcript
    ? {
        transcript: {
          ...present({ text: transcript.text }),
          messages: (transcript.messages ?? []).map((turn) => ({
            role: turn.role,
            text: turn.text,
            ...present({ atSeconds: turn.atSeconds }),
          })),
        },
      }
    : {}),
});

type Present<T> = { [K in keyof T]?: NonNullable<T[K]> };
const present = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as Present<T>;

/** How long callers waited for the agent, of milliseconds turn by turn: in the middle of the turns, and what one in twenty took. */
export function turnLatency(turnsMs: readonly number[]): Pick<CallEvent, "latencyP50Ms" | "latencyP95Ms"> {
  const sorted = turnsMs.toSorted((a, b) => a - b);
  return sorted.length === 0 ? {} : { latencyP50Ms: percentile(sorted, 0.5), latencyP95Ms: percentile(sorted, 0.95) };
}

/** Of at least one number, by the nearest rank. */
const percentile = (sorted: readonly number[], share: number): number => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!;
