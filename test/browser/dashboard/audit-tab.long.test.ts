import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plantEvents, tenantIdOf } from "../../kit/browser/audit-log.ts";
import {
  hasFocus,
  showsFocus,
  open,
  longTimeout,
  reads,
  addTenant,
  openSite,
  phone,
  type Login,
  type Site,
} from "../../kit/browser/site.ts";

let site: Site;
let login: Login;
beforeAll(async () => {
  site = await openSite();
  login = await addTenant(site, "Audited Clinic");
  await plantEvents(site, await tenantIdOf(site, login), [
    { action: "plain.act", secondsAgo: 60 },
    { action: "failed.act", secondsAgo: 80, success: false, code: "not_found", category: "data_query" },
  ]);
});
afterAll(() => site?.close());

const panelOf = (page: Page) => page.getByRole("region", { name: "Audit & Compliance" });
const rowOf = (page: Page, action: string) => panelOf(page).getByRole("table").getByRole("row").filter({ hasText: action });
const address = "/tenant?tab=audit&search=.act";

describe("the audit tab in a browser", () => {
  test("opens an event with the keyboard, shows where the focus is, and gives it back on Escape", async () => {
    await site.visit({ as: login }, async ({ page }) => {
      await open(page, address);
      const opener = rowOf(page, "plain.act").getByRole("button");
      await opener.focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: "Acted a plain" });
      await reads(dialog, /plain\.act[^]*planted[^]*198\.51\.100\.1[^]*request-/);
      await showsFocus(page);
      await page.keyboard.press("Escape");
      await expect.poll(() => dialog.count(), longTimeout).toBe(0);
      await hasFocus(opener);
    });
  });

  test("downloads what the applied filters show in each format, and the same file again", async () => {
    await site.visit({ as: login }, async ({ page }) => {
      await open(page, `${address}&actionType=data_query`);
      const files: Record<string, string> = {};
      for (const format of ["csv", "json", "pdf"]) {
        await page.getByRole("button", { name: "Export Logs" }).click();
        const dialog = page.getByRole("dialog", { name: "Export Logs" });
        await dialog.getByLabel("Format").selectOption(format);
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          dialog.getByRole("button", { name: "Export", exact: true }).dblclick(),
        ]);
        expect(download.suggestedFilename()).toMatch(new RegExp(`^audit-\\d{4}-\\d\\d-\\d\\d-to-\\d{4}-\\d\\d-\\d\\d\\.${format}$`));
        files[format] = readFileSync(await download.path(), "utf8");
        await expect.poll(() => dialog.count(), longTimeout).toBe(0);
      }
      expect(files["csv"]).toContain("failed.act");
      expect(files["csv"]).not.toContain("plain.act");
      expect(JSON.parse(files["json"]!).map(({ action }: { action: string }) => action)).toEqual(["failed.act"]);
      expect(files["pdf"]!.slice(0, 5)).toBe("%PDF-");
      const rows = page.getByRole("region", { name: "Earlier exports" }).locator("tbody tr");
      await expect.poll(() => rows.count(), longTimeout).toBe(3);
      const [again] = await Promise.all([
        page.waitForEvent("download"),
        rows
          .filter({ hasText: "CSV" })
          .getByRole("button", { name: /^Download/ })
          .click(),
      ]);
      expect(readFileSync(await again.path(), "utf8")).toBe(files["csv"]);
      const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
      expect(stored).not.toMatch(/X-Amz|exports\//);
    });
  });

  test("fits a phone, each event in two lines with action, result, user and time", async () => {
    await site.visit({ as: login, viewport: phone }, async ({ page }) => {
      await open(page, address);
      await reads(rowOf(page, "Tried to act a failed"), /[AP]M[^]*User[^]*Tried to act a failed[^]*Failed/);
      expect(await rowOf(page, "Tried to act a failed").innerText()).not.toMatch(/198\.51|N\/A/);
      expect((await rowOf(page, "Acted a plain").boundingBox())!.height).toBeLessThan(100);
      const outside = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(outside).toBe(0);
    });
  });
});
