import type { HealthStatus } from "@vitaline/contract";
import { awaitAllThenThrow, errorFields } from "@vitaline/core";
import { currentHealth, readFhirProviders } from "@vitaline/fhir-providers";
import { allRows, keys, update, type ConnectionCounts, type VoiceHealthRow, type VoiceProviderDirectoryRow } from "@vitaline/store";
import { isStale } from "./platform-status.ts";
import { fhirProbes, probeOf, runProbes, voiceProbes, type Connection, type Probe, type ProbeContext } from "./probe-connections.ts";
import { probeParts, recordProbe, type AskApi } from "./probe-parts.ts";

/** Leaves probes to others, and returns those that stay. */
type ShareOut = (connections: readonly Connection[]) => Promise<readonly Connection[]>;

/**
 * Probes the platform's own parts, then all connections, storing each result at once, and counts the connections by state. Returns when
 * the connection that has waited longest was probed.
 */
export async function probeAll(ctx: ProbeContext, askApi: AskApi, shareOut: ShareOut = async (all) => all): Promise<string | undefined> {
  await recordProbe(ctx, await probeParts(ctx, askApi));
  const listed = (await Promise.all([listProbes(ctx, fhirProbes), listProbes(ctx, voiceProbes)])).flat();
  // The longest unprobed first, as a share may not get to its end
  const probes = listed.toSorted((a, b) => (a.lastCheckedAt < b.lastCheckedAt ? -1 : a.lastCheckedAt > b.lastCheckedAt ? 1 : 0));
  const here = new Set((await shareOut(probes.map(({ id, tenantId }) => ({ id, tenantId })))).map(({ id }) => id));
  await runProbes(
    ctx,
    probes.filter(({ id }) => here.has(id)),
  );
  await countConnections(ctx);
  return probes.flatMap(({ lastCheckedAt }) => lastCheckedAt || []).toSorted()[0];
}

/** Probes some connections. */
export const probeSome = (ctx: ProbeContext, connections: readonly Connection[]): Promise<void> =>
  runProbes(
    ctx,
    connections.map((connection) => probeOf(connection)),
  );

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
  const [fhir, voice] = await awaitAllThenThrow([fhirStatuses(ctx), voiceStatuses(ctx)]);
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
  const [listed, healths] = await awaitAllThenThrow([
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
