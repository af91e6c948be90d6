import type { SystemHealth } from "@vitaline/contract";
import { awaitAllThenThrow } from "@vitaline/core";
import type { TenantRow } from "@vitaline/store";
import type { ScopedContext } from "@vitaline/store/scoped.ts";
import { overallStatus, partsOf, readPlatform, statusOf } from "./platform-status.ts";
import { asService, readConnections } from "./tenant-connections.ts";
import { failingTools, missingRecordSystem } from "./tenant-notices.ts";

/**
 * The platform's health, and the tenant's own connections: the record systems that it or an office uses or owns, and its voice
 * platforms. A connection is unknown if it was not probed recently, or not since its last change. A missing record system and
 * failing tools count in the overall status.
 */
export async function tenantHealth(ctx: ScopedContext<"health" | "ehr">, tenant: TenantRow): Promise<SystemHealth> {
  const [platform, connections, tools] = await awaitAllThenThrow([
    readPlatform(ctx),
    readConnections(ctx, tenant),
    failingTools(ctx, tenant),
  ]);
  const parts = partsOf(ctx, platform.latest, platform.days);
  const [fhirConnectivity, voiceAgentStatus] = [statusOf(connections.fhir), statusOf(connections.voice)];
  const isHampered = tools.length > 0 || missingRecordSystem(connections).length > 0;
  return {
    ...parts,
    overallStatus: overallStatus(parts.services, [fhirConnectivity, voiceAgentStatus, isHampered ? "warning" : "unknown"]),
    voiceAgentStatus,
    fhirConnectivity,
    services: [...parts.services, ...connections.fhir.map(asService), ...connections.voice.map(asService)],
  };
}
