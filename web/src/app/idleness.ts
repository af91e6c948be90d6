/**
 * The server ends a session 15 minutes after its last request that a person made, and counts by the minute. Here it ends
 * a minute earlier, so that who is warned still has a session to keep.
 */
const idleMilliseconds = 14 * 60_000;
const warningMilliseconds = 60_000;
/** Somebody at work is told to the server this often, as it is as far as the server counts. */
const tellMilliseconds = 60_000;

export type Idleness = { phase: "awake" } | { phase: "warned"; secondsLeft: number } | { phase: "over" };

/** How things stand at an instant, when the server last heard of the person at another. Milliseconds since 1970. */
export const idlenessAt = (now: number, lastHeard: number): Idleness => {
  const left = idleMilliseconds - (now - lastHeard);
  if (left <= 0) return { phase: "over" };
  return left <= warningMilliseconds ? { phase: "warned", secondsLeft: Math.ceil(left / 1000) } : { phase: "awake" };
};

/** Whether what a person does now is to be told to the server. Once warned, they say so by a button instead. */
export const isToBeTold = (now: number, lastHeard: number): boolean =>
  idlenessAt(now, lastHeard).phase === "awake" && now - lastHeard >= tellMilliseconds;
