import { inOneFlight, type Asker, type Flights } from "./one-flight.ts";
import type { FhirContext } from "./types.ts";

/** A memory with an end, of at most so many servers. */
const mostKept = 1000;

/** What is fetched once for its lifetime, which may depend on what it is, whoever asks and however many at a time. */
export function keepFor<T>(lifetimeMs: (value: T) => number): {
  get(key: string, asker: Asker & { ctx: FhirContext }, fetch: () => Promise<T>): Promise<T>;
  forget(key: string): void;
} {
  const kept = new Map<string, { value: T; untilMs: number }>();
  const flights: Flights<T> = new Map();
  return {
    async get(key, asker, fetch) {
      const nowMs = () => asker.ctx.clock().getTime();
      const known = kept.get(key);
      if (known && known.untilMs > nowMs()) return known.value;
      return inOneFlight(flights, key, asker, async () => {
        const value = await fetch();
        if (kept.size >= mostKept) kept.clear();
        kept.set(key, { value, untilMs: nowMs() + lifetimeMs(value) });
        return value;
      });
    },
    forget: (key) => void kept.delete(key),
  };
}
