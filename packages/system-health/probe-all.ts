import type { HealthStatus } from "@vitaline/contract";
import { settleAll, errorFields } from "@vitaline/core";
import { currentHealth, readFhirProviders } from "@vitaline/fhir-providers";
import { allRows, keys, update, type ConnectionCounts, type VoiceHealthRow, type VoiceProviderDirectoryRow } from "@vitaline/store";
import { isStale } from "./platform-status.ts";
import { fhirProbes, runProbes, voiceProbes, type Probe, type ProbeContext } from "./probe-connections.ts";
import { probeParts, recordProbe, type AskApi } from "./probe-parts.ts";

/** Probes the platform's own parts, then all connections, storing each result at once, and counts the connections by state. */
export async function probeAll(ctx: ProbeContext, askApi: AskApi): Promise<void> {
  await recordProbe(ctx, await probeParts(ctx, askApi));
  const probes = await Promise.all([listProbes(ctx, fhirProbes), listProbes(ctx, voiceProbes)]);
  await runProbes(ctx, probes.flat());
  await countConnections(ctx);
}

/** If one kind of connection cannot be listed, the other is probed anyway. */
const listProbes = async (
  ctx: ProbeContext,
  list: (ctx: ProbeContext) => Promise<Probe<ProbeContext>[]>,
): Promise<Probe<ProbeContext>[]> => {
  try {
    return await list(ctx);
  } catch (error) {
    ctx.log("error", "connections.not_listed", errorFields(error));
    return [];
  }
};

async function countConnections(ctx: ProbeContext): Promise<void> {
  const [fhir, voice] = await settleAll([fhirStatuses(ctx), voiceStatuses(ctx)]);
  const connections = { countedAt: ctx.clock().toISOString(), fhir: countByStatus(fhir), voice: countByStatus(voice) };
  await ctx.platform.writeUnaudited(update(keys.systemHealth(), { set: { connections } }, { exists: true }));
}

async function fhirStatuses(ctx: ProbeContext): Promise<HealthStatus[]> {
  const providers = await readFhirProviders(ctx);
  return providers
    .filter(({ row }) => row.isActive)
    .map(({ row, health }) => {
      const known = currentHealth(row, health);
      if (!known || isStale(known.checkedAt, ctx.clock())) return "unknown";
      return known.status === "healthy" ? "healthy" : "error";
    });
}

async function voiceStatuses(ctx: ProbeContext): Promise<HealthStatus[]> {
  const [listed, healths] = await settleAll([
    allRows<VoiceProviderDirectoryRow>(ctx.platform, keys.partitions.voice, { prefix: "PROVIDER#" }),
    allRows<VoiceHealthRow>(ctx.platform, keys.partitions.voiceHealth),
  ]);
  const known = new Map(healths.filter(({ checkedAt }) => !isStale(checkedAt, ctx.clock())).map((health) => [health.id, health.status]));
  return listed.filter(({ isActive }) => isActive).map(({ id }) => known.get(id) ?? "unknown");
}

const countByStatus = (statuses: readonly HealthStatus[]): ConnectionCounts => {
  const counts: ConnectionCounts = { healthy: 0, warning: 0, error: 0, unknown: 0 };
  for (const status of statuses) counts[status] += 1;
  return counts;
};
