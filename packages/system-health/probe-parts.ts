import { probeFiles, seal, unseal } from "@vitaline/aws";
import { errorFields, type Context } from "@vitaline/core";
import { keys, put, update, type PartHealth, type PartKey } from "@vitaline/store";
import type { HealthContext } from "@vitaline/store/scoped.ts";
import { countMissed, countProbe, keptUntil } from "./health-days.ts";

export const partNames = {
  api: "API",
  database: "Database",
  files: "File storage",
  encryption: "Encryption",
} as const satisfies Record<PartKey, string>;
export const partKeys = Object.keys(partNames) as PartKey[];

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

/** Since when a failed part fails, as of its last probe. */
export const failingSince = (part: PartHealth, checkedAt: string): string => part.since ?? checkedAt;

/** Stores the result as the latest one, and counts it and the missed probes before it in their days. */
export async function recordProbe(ctx: HealthContext, found: PartHealth[]): Promise<void> {
  const now = ctx.clock();
  const last = await ctx.platform.get(keys.systemHealth());
  if (last) await countMissed(ctx, last.checkedAt);
  const failed = new Map(last?.parts.flatMap((part) => (part.status === "error" ? [[part.name, failingSince(part, last.checkedAt)]] : [])));
  const parts = found.map((part) => (part.status === "error" ? { ...part, since: failed.get(part.name) ?? now.toISOString() } : part));
  const working = partKeys.filter((key) => parts.some(({ name, status }) => name === partNames[key] && status === "healthy"));
  const isHealthy = parts.every(({ status }) => status === "healthy");
  const { date, change } = countProbe(now, isHealthy, apiMsOf(parts) ?? 0);
  const byPart = { partProbes: 1, ...Object.fromEntries(working.map((key) => [`ok_${key}`, 1])) };
  await ctx.platform.writeUnaudited(update(keys.healthDay(date), { ...change, add: { ...change.add, ...byPart } }));
  for (const part of working) {
    const startedAt = failed.get(partNames[part]);
    if (startedAt === undefined) continue;
    const incident = { part, startedAt, endedAt: now.toISOString(), expiresAt: keptUntil(now) };
    await ctx.platform.writeUnaudited(put(keys.healthIncident(startedAt, part), incident));
  }
  // Last, so that the next probe counts this one as missed if it did not finish.
  await ctx.platform.writeUnaudited(update(keys.systemHealth(), { set: { checkedAt: now.toISOString(), parts } }));
}
