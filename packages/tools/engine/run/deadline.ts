import { AppError, type Deadline } from "@vitaline/core";
import type { Patience } from "../../sdk/context.ts";

const usualPatience: Patience = { answerMs: 8000, writeMs: 5000 };
/** Kept back for the audit row and for saying what happened. */
const reserveMs = 700;

export type TimeLimit = { signal: AbortSignal; writeSignal(): AbortSignal; within<T>(work: Promise<T>): Promise<T> };

/** The time that a run has, from now on: eight seconds unless told otherwise, or less when the request has less. */
export function limitTime(deadline: Deadline, { answerMs, writeMs } = usualPatience): TimeLimit {
  const signal = AbortSignal.timeout(Math.max(1, Math.min(answerMs, deadline.remainingMs()) - reserveMs));
  return {
    signal,
    writeSignal: () => AbortSignal.any([signal, AbortSignal.timeout(writeMs)]),
    // Whatever does not heed the signal must not hold up the answer.
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
