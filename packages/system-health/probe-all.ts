import { allDone, errorFields } from "@vitaline/core";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import type { HealthStatus } from "@vitaline/contract";
import { healthNow, readFhirProviders } from "@vitaline/fhir-providers";
import { allRows, type ConnectionCounts, keys, update, type VoiceHealthRow, type VoiceProviderDirectoryRow } from "@vitaline/store";
import { fhirProbes, type Probe, runProbes, voiceProbes } from "./probe-connections.ts";
import { type AskApi, probeParts, recordProbe } from "./probe-parts.ts";
import { isStale } from "./platform-status.ts";

/** Counts all tenants' active connections by state, for whoever asks until the next run. */
async function countConnections(ctx: PlatformContext): Promise<void> {
  const [fhir, voice] = await allDone([fhirStatuses(ctx), voiceStatuses(ctx)]);
  const connections = { countedAt: ctx.clock().toISOString(), fhir: countsOf(fhir), voice: countsOf(voice) };
  await ctx.platform.note(update(keys.systemHealth(), { set: { connections } }, { exists: true }));
}

async function fhirStatuses(ctx: PlatformContext): Promise<HealthStatus[]> {
  const providers = await readFhirProviders(ctx);
  return providers
    .filter(({ row }) => row.isActive)
    .map(({ row, health }) => {
      const known = healthNow(row, health);
      if (!known || isStale(known.checkedAt, ctx.clock())) return "unknown";
      return known.status === "healthy" ? "healthy" : "error";
    });
}

async function voiceStatuses(ctx: PlatformContext): Promise<HealthStatus[]> {
  const [listed, healths] = await allDone([
    allRows<VoiceProviderDirectoryRow>(ctx.platform, keys.partitions.voice, { prefix: "PROVIDER#" }),
    allRows<VoiceHealthRow>(ctx.platform, keys.partitions.voiceHealth),
  ]);
  const known = new Map(healths.filter(({ checkedAt }) => !isStale(checkedAt, ctx.clock())).map((health) => [health.id, health.status]));
  return listed.filter(({ isActive }) => isActive).map(({ id }) => known.get(id) ?? "unknown");
}

const countsOf = (statuses: readonly HealthStatus[]): ConnectionCounts => {
  const counts: ConnectionCounts = { healthy: 0, warning: 0, error: 0, unknown: 0 };
  for (const status of statuses) counts[status] += 1;
  return counts;
};

/** Probes the platform's own parts first, then every connection to others; each result is kept as soon as it is there, and all are counted. */
export async function probeAll(ctx: PlatformContext, askApi: AskApi): Promise<void> {
  await recordProbe(ctx, await probeParts(ctx, askApi));
  const probes = await Promise.all([listed(ctx, fhirProbes), listed(ctx, voiceProbes)]);
  await runProbes(ctx, probes.flat());
  await countConnections(ctx);
}

/** One kind of connection that cannot be listed keeps the other from nothing. */
const listed = async (
  ctx: PlatformContext,
  list: (ctx: PlatformContext) => Promise<Probe<PlatformContext>[]>,
): Promise<Probe<PlatformContext>[]> => {
  try {
    return await list(ctx);
  } catch (error) {
    ctx.log("error", "connections not listed", errorFields(error));
    return [];
  }
};
