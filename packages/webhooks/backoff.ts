const [second, minute, hour] = [1000, 60_000, 3_600_000];
const waitsMs = [5 * second, 30 * second, 2 * minute, 10 * minute, hour, 6 * hour, 24 * hour];

/** A fifth at most is added by chance, so that what failed together does not come back together. */
const jitter = 0.2;

/** How long to wait after so many failed attempts; undefined after the last one. */
export function waitMs(tries: number, chance: number = Math.random()): number | undefined {
  const wait = waitsMs[tries - 1];
  return wait && Math.round(wait * (1 + jitter * chance));
}
