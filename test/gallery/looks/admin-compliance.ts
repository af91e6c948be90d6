import type { ComplianceMetrics } from "@vitaline/contract";
import type { Page } from "playwright-core";
import { dialogOf, panelOf, unanswered } from "../../kit/browser/console.ts";
import { open, reads, type Login, type Site } from "../../kit/browser/site.ts";
import type { Look } from "../../kit/browser/axe.ts";

const as = (site: Site): Login => site.demo.systemAdmin;
const address = "/admin?tab=audit";
const paths = [
  "/api/dashboard/audit-logs",
  "/api/admin/compliance-metrics",
  "/api/admin/user-activity",
  "/api/admin/audit-logs",
  "/api/admin/audit/exports",
  "/api/admin/kept-events",
];

const kept = {
  id: "01hzzzzzzzzzzzzzzzzzzzzzz1",
  tenantId: null,
  from: "retellai",
  reason: "invalid_request",
  at: "2026-05-01T09:00:00.000Z",
};
const waiting = { bytes: 120_400, tries: 3, nextTryAt: "2026-05-01T10:00:00.000Z", replayable: false };

const openReport = async (page: Page): Promise<void> => {
  await open(page, address);
  await page.getByRole("button", { name: "Export Audit Report" }).click();
  await reads(dialogOf(page), /Start date/);
};

export const adminComplianceLooks: Look[] = [
  { name: "console: audit and compliance", as, arrange: (page) => open(page, address) },
  {
    name: "console: items that need attention",
    as,
    arrange: async (page, { demo }) => {
      const events = [
        { ...kept, ...waiting },
        { ...kept, ...waiting, id: "01hzzzzzzzzzzzzzzzzzzzzzz2", tenantId: demo.tenants[0]!.id, replayable: true },
      ];
      await page.route("**/api/admin/kept-events*", (route) => route.fulfill({ json: events }));
      const written = {
        id: "m",
        at: kept.at,
        firstName: "Vera",
        lastName: "Visitor",
        email: "vera@example.com",
        phone: null,
        company: "Visits",
        industry: "dental",
        message: "Hello.",
        mailedAt: null,
      };
      await page.route("**/api/admin/contact-messages*", (route) => route.fulfill({ json: [written] }));
      await page.route("**/api/dashboard/metrics", async (route) => {
        const response = await route.fetch();
        await route.fulfill({
          response,
          json: { ...(await response.json()), waiting: { keptEvents: 2, unmailedMessages: 1, openRequests: 1 } },
        });
      });
      await page.route("**/api/admin/compliance-metrics", async (route) => {
        const response = await route.fetch();
        const { checks, ...metrics } = (await response.json()) as ComplianceMetrics;
        const detail = "2 could not be processed and are kept for replay";
        const told = checks.map((check) => (check.id === "events-processed" ? { ...check, ok: false, detail } : check));
        await route.fulfill({ response, json: { ...metrics, checks: told } });
      });
      await open(page, address);
      await page.getByRole("button", { name: "Show messages" }).click();
      await page.getByText("Vera Visitor").click();
      await reads(panelOf(page, "Contact Messages"), /Hello\./);
    },
  },
  {
    name: "console: a request of an organization, to be answered",
    as,
    arrange: async (page) => {
      const request = {
        ...{ id: "01hzzzzzzzzzzzzzzzzzzzzzr1", createdAt: "2026-05-04T09:00:00.000Z", kind: "plan", status: "open" },
        ...{ message: "We need more minutes.", requestedBy: "Ann Lee", version: 1, email: "ann@clinic.example", answers: [] },
        ...{ tenantId: "01hzzzzzzzzzzzzzzzzzzzzzt1", tenantName: "Lakeside Pediatrics" },
      };
      await page.route("**/api/admin/requests*", (route) => route.fulfill({ json: [request] }));
      await open(page, address);
      await page.getByRole("button", { name: "Show requests" }).click();
      await page.getByText("Lakeside Pediatrics · Plan").click();
      await page.getByRole("button", { name: /^Change status/ }).click();
      await page.getByRole("dialog").getByLabel("Note").waitFor();
    },
  },
  {
    name: "console: an audit that does not load",
    as,
    refused: paths.map((path) => `503 GET ${path}`),
    arrange: async (page) => {
      for (const path of paths)
        await page.route(
          ({ pathname }) => pathname === path,
          (route) => route.fulfill(unanswered),
        );
      await open(page, address);
      await reads(page.getByRole("main"), /Failed to fetch compliance metrics/);
    },
  },
  {
    name: "console: an event of the audit",
    as,
    arrange: async (page) => {
      await open(page, address);
      await page
        .getByRole("button", { name: /details$/ })
        .first()
        .click();
      await reads(dialogOf(page), /Organization/);
    },
  },
  { name: "console: an audit report", as, arrange: openReport },
  {
    name: "console: the calendar of an audit report",
    as,
    arrange: async (page) => {
      await openReport(page);
      await dialogOf(page).getByRole("button", { name: "Calendar for start date" }).click();
      await reads(dialogOf(page), /\bM\s+T\s+W\b/);
    },
  },
];
