import type { HealthStatus, PlatformHealth } from "@vitaline/contract";
import { awaitAllThenThrow } from "@vitaline/core";
import { type ConnectionCounts, keys, type SystemHealthRow } from "@vitaline/store";
import type { HealthContext } from "@vitaline/store/scoped.ts";
import { toHealthDay, recentDays } from "./health-days.ts";
import { isStale, overallStatus, partsOf, readPlatform, statusOf } from "./platform-status.ts";

/**
 * The platform's own parts, and all tenants' connections by state as of the last probe, at constant cost. The history is the
 * platform's, or with `connection` that of one EHR or voice provider.
 */
export async function platformHealth(ctx: HealthContext, connection?: string): Promise<PlatformHealth> {
  const [{ latest, days }, connectionDays] = await awaitAllThenThrow([
    readPlatform(ctx),
    connection === undefined ? undefined : recentDays(ctx, keys.partitions.connectionDays(connection)),
  ]);
  const parts = partsOf(ctx, latest, days);
  const { fhir, voice } = countsNow(latest, ctx.clock());
  const [fhirConnectivity, voiceAgentStatus] = [statusOfCounts(fhir), statusOfCounts(voice)];
  return {
    ...parts,
    overallStatus: overallStatus(parts.services, [fhirConnectivity, voiceAgentStatus]),
    voiceAgentStatus,
    fhirConnectivity,
    fhirProviders: fhir,
    voiceProviders: voice,
    history: (connectionDays ?? days).map(toHealthDay),
  };
}

const none: ConnectionCounts = { healthy: 0, warning: 0, error: 0, unknown: 0 };

const countsNow = (latest: SystemHealthRow | undefined, now: Date): { fhir: ConnectionCounts; voice: ConnectionCounts } => {
  const { countedAt, fhir = none, voice = none } = latest?.connections ?? {};
  if (countedAt === undefined || !isStale(countedAt, now)) return { fhir, voice };
  const asUnknown = (counts: ConnectionCounts) => ({ ...none, unknown: Object.values(counts).reduce((sum, count) => sum + count, 0) });
  return { fhir: asUnknown(fhir), voice: asUnknown(voice) };
};

const statusOfCounts = (counts: ConnectionCounts): HealthStatus => {
  const found = (Object.keys(counts) as HealthStatus[]).filter((status) => counts[status] > 0);
  return statusOf(found.map((status) => ({ status })));
};
