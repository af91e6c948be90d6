import { readFileSync } from "node:fs";
import type { Download, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { plantEvents } from "../../kit/browser/audit-log.ts";
import { asConsole, openClinic, type Clinic } from "../../kit/browser/clinic.ts";
import { dialogOf, panelOf, toastsOf, visitConsole } from "../../kit/browser/console.ts";
import { open, longTimeout, reads, openSite, type Site } from "../../kit/browser/site.ts";

const address = "/admin?tab=audit";
let site: Site;
let clinic: Clinic;
beforeAll(async () => {
  site = await openSite();
  clinic = await openClinic(site, "Audited Clinic");
});
afterAll(() => site?.close());

const visit = (body: (page: Page) => Promise<void>): Promise<void> => visitConsole(site, address, body);
const press = (part: Locator, name: string): Promise<void> => part.getByRole("button", { name, exact: true }).click();
const openReport = async (page: Page): Promise<Locator> => {
  await page.getByRole("button", { name: "Export Audit Report" }).click();
  await reads(dialogOf(page), /Start date/);
  return dialogOf(page);
};
const send = (dialog: Locator): Promise<void> => press(dialog, "Export");
const textOf = async (download: Download): Promise<string> => readFileSync(await download.path(), "utf8");

test("audit events are two lines each on a tablet and on a phone, within the page's width", async () => {
  for (const viewport of [
    { width: 768, height: 1024 },
    { width: 360, height: 780 },
  ])
    await site.visit({ as: site.demo.systemAdmin, viewport }, async ({ page }) => {
      await open(page, address);
      await reads(panelOf(page, "All Audit Events").locator("tbody tr").first(), /Success|Failed/);
      const first = (await panelOf(page, "All Audit Events").locator("tbody tr").first().boundingBox())!;
      expect(first.height).toBeLessThan(130);
      expect(first.x + first.width).toBeLessThanOrEqual(viewport.width);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    });
});

test("the audit report can be sent while its calendar is open, in a low window too", () =>
  visit(async (page) => {
    await page.setViewportSize({ width: 1024, height: 600 });
    const dialog = await openReport(page);
    await press(dialog, "Calendar for start date");
    await expect.poll(() => dialog.locator("[data-part=table-header]:visible").count(), longTimeout).toBe(7);
    const button = (await dialog.getByRole("button", { name: "Export", exact: true }).boundingBox())!;
    const frame = (await dialog.boundingBox())!;
    expect(button.y + button.height).toBeLessThanOrEqual(Math.min(600, frame.y + frame.height));
  }));

test("the audit report of a few days is one file, however often one clicks", () =>
  visit(async (page) => {
    const dialog = await openReport(page);
    const download = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Export", exact: true }).dblclick();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^audit-.*\.csv$/);
    expect(await textOf(file)).toContain("session.login");
    await reads(panelOf(page, "Earlier exports"), /You[^]*CSV[^]*Ready/);
    expect(await panelOf(page, "Earlier exports").locator("tbody tr").count()).toBe(1);
  }));

test("the audit report of a year with thousands of events shows its progress and is downloaded whole when ready, in each format", async () => {
  const events = Array.from({ length: 2100 }, (_, at) => ({ action: "office.update", secondsAgo: 3600 + at * 14_000 }));
  await plantEvents(site, clinic.id, events);
  const lastYear = new Date(Date.now() - 360 * 86_400_000).toISOString().slice(0, 10);
  await visit(async (page) => {
    for (const format of ["csv", "json", "pdf"]) {
      const dialog = await openReport(page);
      await dialog.getByLabel("Start date", { exact: true }).fill(lastYear);
      await page.keyboard.press("Tab");
      await dialog.getByLabel("Format").selectOption(format);
      const download = page.waitForEvent("download", { timeout: 60_000 });
      await send(dialog);
      await reads(toastsOf(page), /Export started/);
      await reads(panelOf(page, "Earlier exports").locator("tbody tr").first(), new RegExp(format.toUpperCase()));
      const file = await textOf(await download);
      await reads(toastsOf(page), /Export ready[^]*2,\d{3} events\. The download has started\./);
      if (format === "csv") expect(file.split("\r\n").filter((line) => line.includes("office.update")).length).toBeGreaterThanOrEqual(2100);
      else if (format === "json")
        expect((JSON.parse(file) as { action: string }[]).filter(({ action }) => action === "office.update").length).toBeGreaterThanOrEqual(
          2100,
        );
      else expect(file).toMatch(/^%PDF-[^]*%%EOF\s*$/);
    }
  });
  const told = await asConsole<{ action: string }[]>(site, "GET", `/api/admin/audit-logs?search=audit.export&limit=100`);
  for (const action of ["audit.export", "audit.exportReady"]) expect(told.map((one) => one.action)).toContain(action);
});
