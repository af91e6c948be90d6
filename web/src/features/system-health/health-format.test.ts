import { expect, test } from "vitest";
import { HealthStatus, SystemHealth } from "@vitaline/contract";
import { formatUptime, healthLabel, uptimePeriod } from "./health-format.ts";

test("each status has a color and a label", () => {
  const lookOf = (status: string) => Object.values(healthLabel(status)).join(" ");
  expect(["healthy", "operational"].map(lookOf)).toEqual(["Healthy green", "Healthy green"]);
  expect(lookOf("warning")).toBe("Warning yellow");
  expect(["error", "down"].map(lookOf)).toEqual(["Down red", "Down red"]);
  expect(["unknown", "", "Healthy", "toString"].map(lookOf)).toEqual(Array.from({ length: 4 }, () => "Unknown gray"));
});

test("of the known statuses, only unknown is shown as Unknown", () => {
  expect(HealthStatus.options.filter((status) => healthLabel(status).label === "Unknown")).toEqual(["unknown"]);
});

test("an uptime names its first day if it covers less than thirty days", () => {
  const now = "2026-11-30T12:00:00Z";
  expect(uptimePeriod("2026-11-30", now)).toBe("Measured since Nov 30, 2026 (UTC)");
  expect(uptimePeriod("2026-11-02", now)).toBe("Measured since Nov 2, 2026 (UTC)");
  expect([uptimePeriod("2026-11-01", now), uptimePeriod(null, now)]).toEqual(["Of the last 30 days", "Of the last 30 days"]);
  expect([99.9, 100, 99.876].map(formatUptime)).toEqual(["99.9%", "100%", "99.88%"]);
});

test("an answer is read whose figures are absent, and whose states are operational, down or others", () => {
  const read = SystemHealth.parse({
    ...{ overallStatus: "operational", voiceAgentStatus: "down", fhirConnectivity: "odd", databaseStatus: "healthy" },
    services: [{ name: "API", status: "operational" }],
  });
  expect(read).toMatchObject({
    uptime: null,
    uptimeSince: null,
    apiResponseTime: null,
    lastUpdated: null,
    services: [{ responseTime: null }],
  });
  const { overallStatus, voiceAgentStatus, fhirConnectivity } = read;
  expect([overallStatus, voiceAgentStatus, fhirConnectivity].map((status) => healthLabel(status).label)).toEqual([
    "Healthy",
    "Down",
    "Unknown",
  ]);
});
