import type { HealthStatus, PlatformHealth } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import { type ConnectionCounts, keys, type SystemHealthRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { asHealthDay, recentDays } from "./health-days.ts";
import { isStale, overallStatus, partsOf, readPlatform, statusOf } from "./platform-status.ts";

/**
 * The platform's own parts, and in which state all tenants' connections were after the last run of the probe: it costs the same
 * however many there are. The history is the platform's own, or with `connection` that of one EHR or voice provider.
 */
export async function platformHealth(ctx: PlatformContext, connection?: string): Promise<PlatformHealth> {
  const [{ latest, days }, asked] = await allDone([
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
    history: (asked ?? days).map(asHealthDay),
  };
}

const none: ConnectionCounts = { healthy: 0, warning: 0, error: 0, unknown: 0 };

/** Of what was counted long ago only the number is still known. */
const countsNow = (latest: SystemHealthRow | undefined, now: Date): { fhir: ConnectionCounts; voice: ConnectionCounts } => {
  const { countedAt, fhir = none, voice = none } = latest?.connections ?? {};
  if (countedAt === undefined || !isStale(countedAt, now)) return { fhir, voice };
  const forgotten = (counts: ConnectionCounts) => ({ ...none, unknown: Object.values(counts).reduce((sum, count) => sum + count, 0) });
  return { fhir: forgotten(fhir), voice: forgotten(voice) };
};

const statusOfCounts = (counts: ConnectionCounts): HealthStatus => {
  const found = (Object.keys(counts) as HealthStatus[]).filter((status) => counts[status] > 0);
  return statusOf(found.map((status) => ({ status })));
};
