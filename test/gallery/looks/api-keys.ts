import type { Page } from "playwright-core";
import { open, reads } from "../../kit/browser/site.ts";
import { asTenant, type Look } from "../../kit/browser/axe.ts";

const openKeys = (page: Page) => open(page, "/tenant?tab=api-keys");
const panel = (page: Page) => page.getByRole("region", { name: "API Key Management" });
const keys = "**/api/tenant/api-keys";

const threeKeys = (now: number) =>
  (
    [
      ["active", "a", null],
      ["retiring", "b", now + 20 * 3_600_000],
      ["revoked", "c", null],
    ] as const
  ).map(([status, letter, notAfter]) => ({
    id: letter.repeat(26),
    last4: letter.repeat(4),
    status,
    createdAt: new Date(now - 7_200_000).toISOString(),
    createdBy: "someone",
    notAfter: notAfter && new Date(notAfter).toISOString(),
    lastUsedAt: status === "revoked" ? null : new Date(now - 60_000).toISOString(),
  }));

export const apiKeyLooks: Look[] = [
  {
    name: "a key that is shown",
    as: asTenant,
    arrange: async (page) => {
      await openKeys(page);
      await page.getByRole("button", { name: "Show API key" }).click();
      await reads(panel(page), /vtl_live_/);
    },
  },
  {
    name: "the question before a new key",
    as: asTenant,
    arrange: async (page) => {
      await openKeys(page);
      await page.getByRole("button", { name: "Regenerate API Key" }).click();
      await reads(page.getByRole("alertdialog"), /Are you sure/);
    },
  },
  {
    name: "a new key that could not be made",
    as: asTenant,
    refused: ["503 POST /api/tenant/regenerate-api-key"],
    arrange: async (page) => {
      await page.route("**/api/tenant/regenerate-api-key", (route) => route.fulfill({ status: 503, json: {} }));
      await openKeys(page);
      await page.getByRole("button", { name: "Regenerate API Key" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Regenerate API Key" }).click();
      await reads(page.getByRole("alertdialog"), /Please try again/);
    },
  },
  {
    name: "former keys",
    as: asTenant,
    arrange: async (page) => {
      await page.route(keys, (route) => route.fulfill({ json: threeKeys(Date.now()) }));
      await openKeys(page);
      await page.getByText("1 ended in the last 30 days").click();
      await reads(panel(page), /Ended/);
    },
  },
  {
    name: "the question before a former key is revoked",
    as: asTenant,
    arrange: async (page) => {
      await page.route(keys, (route) => route.fulfill({ json: threeKeys(Date.now()) }));
      await openKeys(page);
      await page.getByRole("button", { name: /^Revoke now/ }).click();
      await reads(page.getByRole("alertdialog"), /cannot be undone/);
    },
  },
  {
    name: "tools that are opened",
    as: asTenant,
    arrange: async (page) => {
      await openKeys(page);
      for (const summary of await page.getByRole("region", { name: "Using the API Key" }).locator("summary").all()) await summary.click();
    },
  },
  {
    name: "an API key that does not load",
    as: asTenant,
    refused: ["503 GET /api/tenant/info", "503 GET /api/tenant/tools"],
    arrange: async (page) => {
      for (const part of ["info", "tools"]) await page.route(`**/api/tenant/${part}*`, (route) => route.fulfill({ status: 503, json: {} }));
      await openKeys(page);
      await reads(panel(page), /Failed to load API key information/);
    },
  },
];
