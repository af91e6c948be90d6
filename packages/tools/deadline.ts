import { AppError, type Deadline } from "@vitaline/core";

/** A caller hears silence after this; platforms wait longer. */
const answerWithinMs = 8000;
const writeWithinMs = 5000;
/** Kept back for the audit row and for saying what happened. */
const reserveMs = 700;

export type TimeLimit = { signal: AbortSignal; writeSignal(): AbortSignal; within<T>(work: Promise<T>): Promise<T> };

/** The time that a run has, from now on: eight seconds, or less when the request has less. */
export function limitTime(deadline: Deadline): TimeLimit {
  const signal = AbortSignal.timeout(Math.max(1, Math.min(answerWithinMs, deadline.remainingMs()) - reserveMs));
  return {
    signal,
    writeSignal: () => AbortSignal.any([signal, AbortSignal.timeout(writeWithinMs)]),
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
