import * as z from "zod/mini";
import { Id, Instant } from "../http/fields.ts";
import { routes } from "../http/route.ts";

/** How often the platform probes its own parts and all connections. */
export const probeEveryMinutes = 5;

/** unknown: never probed, not probed since it was changed, or not lately. */
export const HealthStatus = z.enum(["healthy", "warning", "error", "unknown"]);
export type HealthStatus = z.output<typeof HealthStatus>;

/** `responseTime`: milliseconds of the last probe; null where there was none. */
export const ServiceHealth = z.object({ name: z.string(), status: HealthStatus, responseTime: z.nullable(z.number()) });
export type ServiceHealth = z.output<typeof ServiceHealth>;

/** Of numbers that nobody has measured yet the server says null, never a guess. */
export const SystemHealth = z.object({
  overallStatus: HealthStatus,
  /**
   * Percent, two decimals: of the probes of the platform's own parts that were due in the last 30 UTC days, today among them, since
   * the first of all, those in which every part answered. One is due every five minutes; one that did not come is a failed one.
   */
  uptime: z.nullable(z.number()),
  /** The first of these days that had a probe, as "2026-11-22"; null before the first of all. */
  uptimeSince: z.nullable(z.string()),
  /**
   * Milliseconds: the median of the last probe's requests to the API's own function, `GET /api/public/health`, from the request
   * to the whole answer. The way from a browser to the function is not in it. Null where the API did not answer.
   */
  apiResponseTime: z.nullable(z.number()),
  voiceAgentStatus: HealthStatus,
  fhirConnectivity: HealthStatus,
  databaseStatus: HealthStatus,
  lastUpdated: z.nullable(Instant),
  services: z.array(ServiceHealth),
});
export type SystemHealth = z.output<typeof SystemHealth>;

/** A UTC day's probes: those that were due, those that succeeded, and how long these took on average. */
export const HealthDay = z.object({ date: z.string(), probes: z.int(), successful: z.int(), averageMs: z.nullable(z.number()) });
export type HealthDay = z.output<typeof HealthDay>;

/** How many things of a kind are in which state. */
const Counts = z.object({ healthy: z.int(), warning: z.int(), error: z.int(), unknown: z.int() });
export const PlatformHealth = z.object({
  ...SystemHealth.shape,
  /** All tenants' active providers, and what the last probe found. */
  fhirProviders: Counts,
  voiceProviders: Counts,
  /** The last 30 days as far as they had probes, oldest first: of the platform's parts, in the API's time, or of the asked connection. */
  history: z.array(HealthDay),
});
export type PlatformHealth = z.output<typeof PlatformHealth>;

export const tenantHealth = routes({
  tenantSystemHealth: {
    method: "GET",
    path: "/api/tenant/dashboard/system-health",
    summary: "How the platform, the tenant's record system and its voice platforms are",
    auth: "tenant_admin",
    activity: false,
    response: SystemHealth,
  },
});

export const platformHealth = routes({
  platformSystemHealth: {
    method: "GET",
    path: "/api/admin/system-health",
    summary: "How the platform's parts and all connections to others are, and were in the last 30 days",
    auth: "system_admin",
    activity: false,
    /** The id of an EHR or voice provider whose history to answer. */
    query: z.object({ connection: z.optional(Id) }),
    response: PlatformHealth,
  },
});
