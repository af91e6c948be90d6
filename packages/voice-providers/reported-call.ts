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
