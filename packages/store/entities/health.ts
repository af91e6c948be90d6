import { partitions } from "./partitions.ts";
import { entityIn } from "./entity.ts";

const healthEntity = entityIn("health");

/** A component of the platform at its last probe. `code`: why it is not healthy; `since`: the first of its failed probes in a row. */
export type PartHealth = { name: string; status: "healthy" | "error"; ms: number; code?: string; since?: string };
export type ConnectionCounts = Record<"healthy" | "warning" | "error" | "unknown", number>;
/** The result of the last health probe. */
export type SystemHealthRow = {
  checkedAt: string;
  parts: PartHealth[];
  /** All tenants' active connections by state. */
  connections?: { countedAt: string; fhir: ConnectionCounts; voice: ConnectionCounts };
};
export const systemHealth = healthEntity<SystemHealthRow, []>({
  entity: "systemHealth",
  writeKind: "bookkeeping",
  lifetime: "permanent",
  primaryKey: () => ({ pk: partitions.systemHealth, sk: "LATEST" }),
});

/** The platform's own components. */
export type PartKey = "api" | "database" | "files" | "encryption";

/** A day's probes, the healthy ones among them, and their total time. */
export type HealthDayRow = { date: string; probes: number; healthy: number; ms?: number; expiresAt: number };
/** Missed probes count. `partProbes`: those whose successes were counted by component; `ok_api`: the successes of one. */
export type PlatformDayRow = HealthDayRow & { partProbes?: number } & { [Part in `ok_${PartKey}`]?: number };
export const healthDay = healthEntity<PlatformDayRow, [date: string]>({
  entity: "healthDay",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (date) => ({ pk: partitions.systemHealth, sk: `DAY#${date}` }),
});
/** A time in which all probes of a component failed, or for "probes" none took place. An incident that lasts has no row yet. */
export type HealthIncidentRow = { part: PartKey | "probes"; startedAt: string; endedAt: string; expiresAt: number };
export const healthIncident = healthEntity<HealthIncidentRow, [startedAt: string, part: HealthIncidentRow["part"]]>({
  entity: "healthIncident",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (startedAt, part) => ({ pk: partitions.systemHealth, sk: `INCIDENT#${startedAt}#${part}` }),
});
/** `connectionId`: of the FHIR provider or voice provider. */
export const connectionDay = healthEntity<HealthDayRow, [connectionId: string, date: string]>({
  entity: "connectionDay",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (connectionId, date) => ({ pk: partitions.connectionDays(connectionId), sk: `DAY#${date}` }),
});

/** The last probe of a tenant's voice provider. */
export type VoiceHealthRow = {
  id: string;
  tenantId: string;
  status: "healthy" | "warning" | "error";
  checkedAt: string;
  ms: number;
  code?: string;
  /** Version of the probed provider; the result is void after a change. */
  version: number;
  expiresAt: number;
};
export const voiceHealth = healthEntity<VoiceHealthRow, [voiceProviderId: string]>({
  entity: "voiceHealth",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (voiceProviderId) => ({ pk: partitions.voiceHealth, sk: voiceProviderId }),
});
