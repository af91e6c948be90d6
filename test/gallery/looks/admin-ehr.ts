import type { Page } from "playwright-core";
import { expect } from "vitest";
import { dialogOf, panelOf, unanswered } from "../../kit/browser/console.ts";
import { open, longTimeout, reads, type Login, type Site } from "../../kit/browser/site.ts";
import type { Look } from "../../kit/browser/axe.ts";

const as = (site: Site): Login => site.demo.systemAdmin;
const address = "/admin?tab=fhir";
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first().click();
const paths = ["/api/admin/fhir/providers", "/api/admin/fhir/health-status", "/api/admin/fhir/assignments", "/api/admin/platform/keys"];

const key = {
  alg: "RS256",
  createdAt: "2026-05-01T09:00:00.000Z",
  activeFrom: "2026-05-01T11:00:00.000Z",
  lastSignedAt: "2026-05-02T09:00:00.000Z",
};
const keys = ["pending", "active", "previous", "retired"].map((state) => ({ ...key, kid: `${state}-key-of-this-platform`, state }));
const health = {
  endpoint: "https://ehr.with-a-rather-long-name.example/interconnect/api/FHIR/R4",
  lastChecked: "2026-05-01T09:00:00.000Z",
  history: Array.from({ length: 20 }, (_, index) => ({
    at: `2026-05-01T08:${index + 20}:00.000Z`,
    status: index % 8 === 3 || index === 19 ? "unhealthy" : "healthy",
    ms: 90,
  })),
};
const unwell = {
  providers: [
    {
      ...health,
      id: "01hzzzzzzzzzzzzzzzzzzzzzz1",
      name: "Cardiology with a name that is rather long",
      status: "unhealthy",
      message: "The name of the server is not known.",
      certificateExpiry: "2026-05-01T09:00:00.000Z",
    },
    {
      ...health,
      id: "01hzzzzzzzzzzzzzzzzzzzzzz2",
      name: "New EHR",
      status: "unknown",
      lastChecked: null,
      certificateExpiry: null,
      history: [],
    },
  ],
};

const openPart = async (page: Page, tab: string): Promise<void> => {
  await open(page, address);
  await press(page, "Edit Sandbox EHR");
  await dialogOf(page).getByRole("tab", { name: tab }).click();
  await expect.poll(() => dialogOf(page).getByRole("tabpanel", { name: tab }).isVisible(), longTimeout).toBe(true);
};

export const adminEhrLooks: Look[] = [
  { name: "console: record systems", as, arrange: (page) => open(page, `${address}&ehr=connected`) },
  {
    name: "console: keys of every state and unwell record systems",
    as,
    arrange: async (page) => {
      await page.route("**/api/admin/platform/keys", (route) => route.fulfill({ json: keys }));
      await page.route("**/api/admin/fhir/health-status", (route) => route.fulfill({ json: unwell }));
      await open(page, address);
      await reads(panelOf(page, "Connection Health"), /Expired/);
    },
  },
  {
    name: "console: no record system and no key",
    as,
    arrange: async (page) => {
      for (const path of paths)
        await page.route(`**${path}*`, (route) => route.fulfill({ json: path.endsWith("status") ? { providers: [] } : [] }));
      await open(page, address);
      await reads(page.getByRole("main"), /No FHIR providers configured yet\./);
    },
  },
  {
    name: "console: record systems that do not load",
    as,
    refused: paths.map((path) => `503 GET ${path}`),
    arrange: async (page) => {
      for (const path of paths) await page.route(`**${path}*`, (route) => route.fulfill(unanswered));
      await open(page, address);
      await reads(page.getByRole("main"), /Failed to fetch FHIR providers/);
    },
  },
  ...["Basic Info", "OAuth Config", "Security", "Advanced"].map((tab): Look => ({
    name: `console: a record system, ${tab}`,
    as,
    arrange: (page) => openPart(page, tab),
  })),
  {
    name: "console: a new record system that lacks something",
    as,
    arrange: async (page) => {
      await open(page, address);
      await press(page, "Add FHIR Provider");
      await dialogOf(page).getByRole("button", { name: "Add Provider" }).click();
      await reads(dialogOf(page), /Provider name is required/);
    },
  },
  {
    name: "console: all connections tested",
    as,
    arrange: async (page) => {
      await open(page, address);
      await press(page, "Test Connections");
      await press(page, "Test all");
      await reads(dialogOf(page), /Sandbox EHR[^]*tested/);
      await expect.poll(() => dialogOf(page).getByRole("button", { name: "Test all" }).count(), longTimeout).toBe(1);
    },
  },
  {
    name: "console: a record system chosen for a tenant",
    as,
    arrange: async (page) => {
      await open(page, address);
      await press(page, /^Change the FHIR provider of/);
      await reads(dialogOf(page), /Current:/);
    },
  },
  {
    name: "console: a rotation of keys",
    as,
    arrange: async (page) => {
      await open(page, address);
      await press(page, "Rotate Keys");
      await reads(page.getByRole("alertdialog"), /two hours/);
    },
  },
];
