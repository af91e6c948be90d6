import { deadlineIn, errorFields, type Context } from "@vitaline/core";

/** A connection to somebody else's server; `lastCheckedAt` is "" for one that was never probed. */
export type Probe<C extends Context> = { id: string; lastCheckedAt: string; run(ctx: C): Promise<void> };

const atOnce = 8;
const perProbeMs = 8000;
/** What a probe may take beyond its own time: secrets are read and results written. */
const reserveMs = 15_000;

/**
 * Runs probes side by side, those first that waited longest, each with a little time of its own, so that servers that hang
 * keep no other from being probed: what this run has no time for comes first in the next. One that throws is logged.
 */
export async function runProbes<C extends Context>(ctx: C, probes: readonly Probe<C>[]): Promise<void> {
  const waiting = probes.toSorted((a, b) => (a.lastCheckedAt < b.lastCheckedAt ? -1 : a.lastCheckedAt > b.lastCheckedAt ? 1 : 0));
  const work = async (): Promise<void> => {
    for (let probe = waiting.shift(); probe; probe = waiting.shift()) {
      if (ctx.deadline.remainingMs() < perProbeMs + reserveMs) return;
      await probe
        .run({ ...ctx, deadline: deadlineIn(perProbeMs) })
        .catch((error: unknown) => ctx.log("warn", "probe failed", { providerId: probe.id, ...errorFields(error) }));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
