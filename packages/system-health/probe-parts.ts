import { probeFiles, seal, unseal } from "@vitaline/aws";
import { errorFields, type Context } from "@vitaline/core";
import { keys, update, type PartHealth } from "@vitaline/store";
import type { HealthContext } from "@vitaline/store/scoped.ts";
import { countMissed, countProbe } from "./health-days.ts";

export const partNames = { api: "API", database: "Database", files: "File storage", encryption: "Encryption" } as const;

/** Sends one request to the API and throws if it fails. */
export type AskApi = () => Promise<void>;

/** A single measurement varies too much, and the first may include a cold start. */
const repetitions = 3;

export const probeParts = (ctx: HealthContext, askApi: AskApi): Promise<PartHealth[]> =>
  Promise.all([
    probePart(ctx, partNames.api, askApi, repetitions),
    probePart(ctx, partNames.database, async () => void (await ctx.platform.get(keys.systemHealth())), repetitions),
    probePart(ctx, partNames.files, probeFiles),
    probePart(ctx, partNames.encryption, probeVault),
  ]);

/** `ms`: the median time; of a failed part, the time of the failed attempt. */
async function probePart(ctx: Context, name: string, work: () => Promise<void>, times = 1): Promise<PartHealth> {
  const timesMs: number[] = [];
  let started = performance.now();
  const elapsedMs = () => Math.round(performance.now() - started);
  try {
    for (let time = 0; time < times; time++) {
      started = performance.now();
      await work();
      timesMs.push(elapsedMs());
    }
    return { name, status: "healthy", ms: median(timesMs) };
  } catch (error) {
    const { errorName, code = errorName } = errorFields(error);
    ctx.log("error", "component.unhealthy", { operation: name, errorName, code });
    return { name, status: "error", ms: elapsedMs(), code };
  }
}

/** Of at least one number. */
const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

/** Uses a purpose for which the function has the key permission anyway. */
async function probeVault(): Promise<void> {
  const text = "probe";
  if ((await unseal("fhir-token", "health", await seal("fhir-token", "health", text))) !== text)
    throw new Error("The vault returned another value");
}

/** The API's response time, if it answered: SystemHealth.apiResponseTime. */
export const apiMsOf = (parts: readonly PartHealth[]): number | undefined =>
  parts.find(({ name, status }) => name === partNames.api && status === "healthy")?.ms;

/** Stores the result as the latest one, and counts it and the missed probes before it in their days. */
export async function recordProbe(ctx: HealthContext, parts: PartHealth[]): Promise<void> {
  const now = ctx.clock();
  const last = await ctx.platform.get(keys.systemHealth());
  if (last) await countMissed(ctx, last.checkedAt);
  const isHealthy = parts.every(({ status }) => status === "healthy");
  const { date, change } = countProbe(now, isHealthy, apiMsOf(parts) ?? 0);
  await ctx.platform.writeUnaudited(update(keys.healthDay(date), change));
  // Last, so that the next probe counts this one as missed if it did not finish.
  await ctx.platform.writeUnaudited(update(keys.systemHealth(), { set: { checkedAt: now.toISOString(), parts } }));
}
