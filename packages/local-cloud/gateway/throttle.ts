/** Steady requests a second, and how many may come at once. */
export type Throttle = { requestsPerSecond: number; burst: number };

/** A token bucket: answers whether this request may pass now. */
export function createThrottle({ requestsPerSecond, burst }: Throttle, nowMs: () => number = Date.now): () => boolean {
  let tokens = burst;
  let refilledAt = nowMs();
  return () => {
    const now = nowMs();
    tokens = Math.min(burst, tokens + ((now - refilledAt) / 1000) * requestsPerSecond);
    refilledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
