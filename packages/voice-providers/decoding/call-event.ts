import type { CallEvent } from "@vitaline/calls";
import type { CallReport } from "@vitaline/contract";

/** A call as the client reports it, for platforms that send no reports. */
export const callEventFromReport = ({ cost, latency, transcript, scores, recordingConsent, ...report }: CallReport): CallEvent => ({
  ...withoutNulls(report),
  platform: report.platform,
  callId: report.callId,
  status: report.status,
  ...(report.success ? { statedResolved: true } : {}),
  ...(cost ? { costAmount: cost.amount, costCurrency: cost.currency } : {}),
  ...(scores
    ? {
        scores: scores.map(({ name, score = null, maxScore = null, passed = null }) => ({ name, score, maxScore, passed })),
      }
    : {}),
  ...withoutNulls({ recordingConsentType: recordingConsent?.type, recordingConsentAt: recordingConsent?.grantedAt }),
  ...withoutNulls({ latencyP50Ms: latency?.p50Ms, latencyP95Ms: latency?.p95Ms }),
  ...(transcript
    ? {
        transcript: {
          ...withoutNulls({ text: transcript.text }),
          messages: (transcript.messages ?? []).map((turn) => ({
            role: turn.role,
            text: turn.text,
            ...withoutNulls({ atSeconds: turn.atSeconds }),
          })),
        },
      }
    : {}),
});

type WithoutNulls<T> = { [K in keyof T]?: NonNullable<T[K]> };
const withoutNulls = <T extends object>(fields: T): WithoutNulls<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as WithoutNulls<T>;

/** Median and 95th percentile of the caller's waits for the agent, in milliseconds per turn. */
export function turnLatency(turnsMs: readonly number[]): Pick<CallEvent, "latencyP50Ms" | "latencyP95Ms"> {
  const sorted = turnsMs.toSorted((a, b) => a - b);
  return sorted.length === 0 ? {} : { latencyP50Ms: percentile(sorted, 0.5), latencyP95Ms: percentile(sorted, 0.95) };
}

/** Nearest rank; `sorted` is not empty. */
const percentile = (sorted: readonly number[], share: number): number => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!;
