import type { Page } from "playwright-core";
import { open, reads, titled, type Site } from "../../kit/browser/site.ts";
import { unavailable } from "../../kit/browser/outage.ts";
import { asTenant, type Look } from "../../kit/browser/axe.ts";

export async function viewFrom(page: Page, site: Site, from: string): Promise<void> {
  const token = await site.tokenFor(site.demo.systemAdmin);
  const { json } = await site.api<{ token: string }>("POST", `/api/admin/tenants/${site.demo.tenants[0]!.id}/view-as`, { token });
  await open(page, from);
  await page.evaluate(
    (view) => sessionStorage.setItem("view", `${view} ${localStorage.getItem("auth_token")?.slice(-12)}`),
    `${json.token} ${from}`,
  );
  await open(page, "/tenant");
  await titled(page, "Tenant Dashboard");
}

const read = [
  ...["metrics", "recent-calls", "tool-usage", "offices", "fhir-providers", "notices"].map((part) => `dashboard/${part}`),
  ...["settings", "calls", "calls/in-progress", "tool-calls", "usage", "to-do/count"],
].map((path) => `503 GET /api/tenant/${path}`);

const callsNow = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: String(index).padStart(40, "0"),
    platform: ["vapi", "retellai", "elevenlabs", "openai", "mcp"][index % 5],
    createdAt: new Date().toISOString(),
    status: index % 3 === 0 ? "ringing" : "in_progress",
    officeId: null,
    agentId: null,
    direction: index % 2 === 0 ? "inbound" : "outbound",
  }));

const makeBusy = async (page: Page): Promise<void> => {
  await page.route("**/api/tenant/calls/in-progress", (route) => route.fulfill({ json: callsNow(12) }));
  await page.route("**/api/tenant/usage", (route) =>
    route.fulfill({
      json: {
        month: "2026-05",
        calls: 1204,
        minutes: 2011.5,
        earlierMinutes: 0,
        planName: "Light",
        bundledMinutes: 1800,
        overageMinutes: 211.5,
        overageRate: 0.18,
        overageCharge: 38.07,
        asOf: "2026-05-30T10:00:00.000Z",
      },
    }),
  );
};

export const overviewLooks: Look[] = [
  {
    name: "a busy dashboard",
    as: asTenant,
    arrange: async (page) => {
      await makeBusy(page);
      await open(page, "/tenant");
      await reads(page.getByRole("main"), /and 9 more[^]*minutes over the plan/);
    },
  },
  {
    name: "a dashboard that does not load",
    as: asTenant,
    refused: read,
    arrange: async (page) => {
      await page.route("**/api/tenant/**", (route) => route.fulfill(unavailable));
      await open(page, "/tenant");
      await reads(page.getByRole("main"), /Failed to load call metrics[^]*Failed to load plan usage/);
    },
  },
  {
    name: "a tenant's dashboard that a system administrator looks at",
    as: (site) => site.demo.systemAdmin,
    arrange: async (page, site) => {
      await viewFrom(page, site, "/admin");
      await reads(page.getByRole("region", { name: "View as a tenant" }), /You are viewing/);
    },
  },
  {
    name: "a dashboard while all of it loads",
    as: asTenant,
    arrange: async (page) => {
      await page.route("**/api/tenant/**", () => undefined);
      await page.goto("/tenant");
      await titled(page, "Tenant Dashboard");
    },
  },
];
