import { probeFiles, seal, unseal } from "@vitaline/aws";
import { type Context, errorFields } from "@vitaline/core";
import { keys, type PartHealth, update } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { countMissed, countProbe } from "./health-days.ts";

export const partNames = { api: "API", database: "Database", files: "File storage", encryption: "Encryption" } as const;

/** Asks the API one thing and throws when it does not answer it. */
export type AskApi = () => Promise<void>;

/** As one time tells little of how long it takes, and the first may have to wake somebody. */
const severalTimes = 3;

/** Asks each of the platform's own parts to do a little of its work, all at once. */
export const probeParts = (ctx: PlatformContext, askApi: AskApi): Promise<PartHealth[]> =>
  Promise.all([
    probe(ctx, partNames.api, askApi, severalTimes),
    probe(ctx, partNames.database, async () => void (await ctx.platform.get(keys.systemHealth())), severalTimes),
    probe(ctx, partNames.files, probeFiles),
    probe(ctx, partNames.encryption, useVault),
  ]);

/** How long the API took, where it answered: SystemHealth.apiResponseTime. */
export const apiMsOf = (parts: readonly PartHealth[]): number | undefined =>
  parts.find(({ name, status }) => name === partNames.api && status === "healthy")?.ms;

/** The purpose is one that the function needs besides; the value is nobody's. */
async function useVault(): Promise<void> {
  const text = "well";
  if ((await unseal("fhir-token", "health", await seal("fhir-token", "health", text))) !== text)
    throw new Error("The vault opened something else");
}

/** `ms`: the median of the times; of a part that failed, how long that took. */
async function probe(ctx: Context, name: string, work: () => Promise<void>, times = 1): Promise<PartHealth> {
  const timesMs: number[] = [];
  let started = performance.now();
  const msSoFar = () => Math.round(performance.now() - started);
  try {
    for (let time = 0; time < times; time++) {
      started = performance.now();
      await work();
      timesMs.push(msSoFar());
    }
    return { name, status: "healthy", ms: median(timesMs) };
  } catch (error) {
    const { errorName, code = errorName } = errorFields(error);
    ctx.log("error", "part not well", { operation: name, errorName, code });
    return { name, status: "error", ms: msSoFar(), code };
  }
}

/** Of at least one number. */
const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

/**
 * Keeps what a probe of the platform's own parts found: counted into its day, with those that were missed before it, and as the
 * latest. That comes last: until it stands, the next probe counts this one as missed.
 */
export async function recordProbe(ctx: PlatformContext, parts: PartHealth[]): Promise<void> {
  const now = ctx.clock();
  const last = await ctx.platform.get(keys.systemHealth());
  if (last) await countMissed(ctx, last.checkedAt);
  const isWell = parts.every(({ status }) => status === "healthy");
  const { date, change } = countProbe(now, isWell, apiMsOf(parts) ?? 0);
  await ctx.platform.note(update(keys.healthDay(date), change));
  await ctx.platform.note(update(keys.systemHealth(), { set: { checkedAt: now.toISOString(), parts } }));
}
