import type { HealthStatus, ServiceHealth } from "@vitaline/contract";

/** Four runs of the probe: what is older says nothing of now. */
const staleMs = 20 * 60_000;

export const isStale = (checkedAt: string, now: Date): boolean => now.getTime() - Date.parse(checkedAt) > staleMs;

/** Nothing known makes a group unknown; else it is as well as the worst of what is known, and only wholly broken in error. */
export function statusOf(services: readonly Pick<ServiceHealth, "status">[]): HealthStatus {
  const known = services.map(({ status }) => status).filter((status) => status !== "unknown");
  if (known.length === 0) return "unknown";
  if (known.every((status) => status === "error")) return "error";
  return known.every((status) => status === "healthy") ? "healthy" : "warning";
}

/** The platform's own parts decide between well and broken; a connection that is not well makes a warning at most. */
export function overallStatus(parts: readonly ServiceHealth[], connections: readonly HealthStatus[]): HealthStatus {
  if (parts.some(({ status }) => status === "error")) return "error";
  if (parts.every(({ status }) => status === "unknown")) return "unknown";
  return connections.some((status) => status === "error" || status === "warning") ? "warning" : "healthy";
}
