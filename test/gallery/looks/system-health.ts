import type { Page } from "playwright-core";
import { open, reads } from "../../kit/browser/site.ts";
import { asTenant, type Look } from "../../kit/browser/axe.ts";

const health = "**/api/tenant/dashboard/system-health";
const problem = { error: "The database could not be reached.", code: "unavailable", requestId: "0123456789abcdef" };
const panelOf = (page: Page) => page.getByRole("region", { name: "System Health" });

const services = (statuses: readonly string[]) =>
  ["API", "Database", "File storage", "Encryption"].map((name, at) => ({ name, status: statuses[at], responseTime: at === 3 ? null : 12 }));

export const systemLooks: Look[] = [
  {
    name: "a system with every status",
    as: asTenant,
    arrange: async (page) => {
      const json = {
        ...{
          overallStatus: "warning",
          uptime: 97.31,
          uptimeSince: "2026-05-01",
          apiResponseTime: 48,
          voiceAgentStatus: "warning",
          fhirConnectivity: "error",
        },
        ...{ databaseStatus: "healthy", lastUpdated: "2026-05-08T09:00:00.000Z" },
        services: services(["healthy", "warning", "error", "unknown"]),
      };
      await page.route(health, (route) => route.fulfill({ json }));
      await open(page, "/tenant?tab=system");
      await reads(panelOf(page), /Healthy[^]*Down[^]*Unknown/);
    },
  },
  {
    name: "a system before its first check",
    as: asTenant,
    arrange: async (page) => {
      const json = {
        ...{
          overallStatus: "unknown",
          uptime: null,
          uptimeSince: null,
          apiResponseTime: null,
          voiceAgentStatus: "unknown",
          fhirConnectivity: "unknown",
        },
        ...{ databaseStatus: "unknown", lastUpdated: null },
        services: services(["unknown", "unknown", "unknown", "unknown"]),
      };
      await page.route(health, (route) => route.fulfill({ json }));
      await open(page, "/tenant?tab=system");
      await reads(panelOf(page), /Default, not measured/);
    },
  },
  {
    name: "a system whose health and savings do not load",
    as: asTenant,
    refused: ["503 GET /api/tenant/dashboard/savings", "503 GET /api/tenant/dashboard/system-health"],
    arrange: async (page) => {
      for (const address of [health, "**/api/tenant/dashboard/savings"])
        await page.route(address, (route) => route.fulfill({ status: 503, json: problem }));
      await open(page, "/tenant?tab=system");
      await reads(page.getByRole("main"), /Failed to load system health[^]*Failed to load cost savings/);
    },
  },
];
