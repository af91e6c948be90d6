import { AppError, type Deadline } from "@vitaline/core";
import type { TimeLimits } from "../../sdk/context.ts";

const defaultLimits: TimeLimits = { answerMs: 8000, writeMs: 5000 };

/** Reserved for the audit row and the answer. */
const reserveMs = 700;

export type TimeLimit = { signal: AbortSignal; writeSignal(): AbortSignal; within<T>(work: Promise<T>): Promise<T> };

/** Starts the time limit of a run: eight seconds by default, less if the request has less. */
export function startTimeLimit(deadline: Deadline, { answerMs, writeMs } = defaultLimits): TimeLimit {
  const signal = AbortSignal.timeout(Math.max(1, Math.min(answerMs, deadline.remainingMs()) - reserveMs));
  return {
    signal,
    writeSignal: () => AbortSignal.any([signal, AbortSignal.timeout(writeMs)]),
    // Work that ignores the signal must not delay the answer.
    within: (work) =>
      new Promise((resolve, reject) => {
        const graceMs = reserveMs / 3;
        const late = () => setTimeout(() => reject(new AppError("deadline_exceeded", "The tool did not finish in time.")), graceMs);
        let timer: NodeJS.Timeout | undefined;
        const onAbort = () => (timer = late());
        if (signal.aborted) onAbort();
        else signal.addEventListener("abort", onAbort, { once: true });
        work.then(resolve, reject).finally(() => {
          clearTimeout(timer);
          signal.removeEventListener("abort", onAbort);
        });
      }),
  };
}
