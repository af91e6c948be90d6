import * as z from "zod/mini";
import { Id, Instant, PageQuery } from "../http/fields.ts";
import { routes } from "../http/route.ts";

/** How often the platform probes its components and all connections. */
export const probeEveryMinutes = 5;

/** unknown: not probed yet, not since its last change, or not recently. */
export const HealthStatus = z.enum(["healthy", "warning", "error", "unknown"]);
export type HealthStatus = z.output<typeof HealthStatus>;

/** What a reader accepts: `operational` means healthy, `down` an error, anything else unknown. */
const ReadStatus = z.catch(z.enum([...HealthStatus.options, "operational", "down"]), "unknown");
const measured = <S extends z.ZodMiniType>(schema: S) => z._default(z.nullable(schema), null);

/** `responseTime`: milliseconds of the last probe; null without one. */
export const ServiceHealth = z.object({ name: z.string(), status: ReadStatus, responseTime: measured(z.number()) });
export type ServiceHealth = z.output<typeof ServiceHealth>;

/** Unmeasured values are null; a reader accepts their absence. */
export const SystemHealth = z.object({
  overallStatus: ReadStatus,
  /**
   * Percent with two decimals: the successful probes among those due in the last 30 UTC days including today, since the first
   * one. A probe is due every five minutes; a missed one counts as failed.
   */
  uptime: measured(z.number()),
  /** The first day with a probe, as "2026-11-22"; null before the first. */
  uptimeSince: measured(z.string()),
  /**
   * Milliseconds: the median of the last probe's requests `GET /api/public/health`, sent directly to the API function, until the
   * complete response. null: no response.
   */
  apiResponseTime: measured(z.number()),
  voiceAgentStatus: ReadStatus,
  fhirConnectivity: ReadStatus,
  databaseStatus: ReadStatus,
  lastUpdated: measured(Instant),
  services: z.array(ServiceHealth),
});
export type SystemHealth = z.output<typeof SystemHealth>;

/** A UTC day's due probes, successful probes, and their average time. */
export const HealthDay = z.object({ date: z.string(), probes: z.int(), successful: z.int(), averageMs: z.nullable(z.number()) });
export type HealthDay = z.output<typeof HealthDay>;

/** Counts by state. */
const Counts = z.object({ healthy: z.int(), warning: z.int(), error: z.int(), unknown: z.int() });
export const PlatformHealth = z.object({
  ...SystemHealth.shape,
  /** All tenants' active providers by result of the last probe. */
  fhirProviders: Counts,
  voiceProviders: Counts,
  /** Up to 30 days with probes, oldest first: of the platform, by the API's response time, or of the requested connection. */
  history: z.array(HealthDay),
});
export type PlatformHealth = z.output<typeof PlatformHealth>;

/**
 * What keeps a tenant's voice agents from working now. `no_record_system`: `names` are the offices without one, none for all.
 * `record_system_fails`, `voice_platform_fails`, `key_refused`: `names` has the connection, as of its last probe. `tools_fail`: at
 * least half of the runs of yesterday and today failed; `names` are the tools that did.
 */
export const TenantNotice = z.object({
  kind: z.enum(["no_record_system", "record_system_fails", "voice_platform_fails", "key_refused", "tools_fail"]),
  names: z.array(z.string()),
  runs: z.nullable(z.int()),
  failedRuns: z.nullable(z.int()),
});
export type TenantNotice = z.output<typeof TenantNotice>;

/** The last seven days of the tenant's time zone, this UTC month's minutes, and its connections as of the last probe. */
export const TenantActivity = z.object({
  tenantId: Id,
  calls: z.int(),
  /** Calls that ended other than `completed`. */
  failedCalls: z.int(),
  resolvedCalls: z.int(),
  toolRuns: z.int(),
  failedToolRuns: z.int(),
  minutes: z.number(),
  /** null: no plan. */
  bundledMinutes: z.nullable(z.number()),
  /** The newest call's start; null: no call is kept. */
  lastCallAt: z.nullable(Instant),
  recordSystem: z.enum([...HealthStatus.options, "missing"]),
  voicePlatform: HealthStatus,
});
export type TenantActivity = z.output<typeof TenantActivity>;

export const tenantHealth = routes({
  tenantSystemHealth: {
    method: "GET",
    path: "/api/tenant/dashboard/system-health",
    summary: "Health of the platform, the tenant's record system and its voice platforms",
    auth: "tenant_admin",
    activity: false,
    response: SystemHealth,
  },
  tenantNotices: {
    method: "GET",
    path: "/api/tenant/dashboard/notices",
    summary: "What keeps the tenant's voice agents from working now",
    auth: "tenant_admin",
    response: z.array(TenantNotice),
  },
});

export const platformHealth = routes({
  platformSystemHealth: {
    method: "GET",
    path: "/api/admin/system-health",
    summary: "Health of the platform's parts and of all connections, now and in the last 30 days",
    auth: "system_admin",
    activity: false,
    /** The FHIR provider or voice provider whose history to return. */
    query: z.object({ connection: z.optional(Id) }),
    response: PlatformHealth,
  },
  tenantActivity: {
    method: "GET",
    path: "/api/admin/tenant-activity",
    summary: "Calls, failures, health and usage of each tenant, in the order of the tenants, 25 a page",
    auth: "system_admin",
    query: PageQuery,
    response: z.array(TenantActivity),
  },
});
