import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openClinic, type Clinic } from "../../kit/browser/clinic.ts";
import { showsFocus, open, longTimeout, reads, openSite, phone, type Site } from "../../kit/browser/site.ts";

let site: Site;
let clinic: Clinic;
beforeAll(async () => {
  site = await openSite();
  clinic = await openClinic(site, "Counting Clinic");
  await clinic.phone("one", { seconds: 95 });
  await site.platform.cloud.drained();
});
afterAll(() => site?.close());

const partOf = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

test("the charts are drawn, bars are as wide as their values, and the link to the table shows its focus", async () => {
  await site.visit({ as: site.demo.tenants[0]!.admin }, async ({ page }) => {
    await open(page, "/tenant?tab=analytics");
    const panel = partOf(page, "Day by Day");
    await expect.poll(() => panel.getByRole("figure").count(), longTimeout).toBe(4);
    await expect
      .poll(() => panel.getByRole("figure").first().locator(".recharts-bar-rectangle path").count(), longTimeout)
      .toBeGreaterThan(0);
    const bar = page.getByRole("list", { name: "Tool usage" }).getByRole("progressbar").first();
    const [whole = 0, part = 0] = await bar.evaluate((all) =>
      [all, all.firstElementChild!].map((one) => one.getBoundingClientRect().width),
    );
    expect(part / whole).toBeCloseTo(Number(await bar.getAttribute("aria-valuenow")) / 100, 2);
    await panel.getByRole("button", { name: "View as table" }).focus();
    await page.keyboard.press("Enter");
    await reads(panel.getByRole("table"), /All calls/);
    await showsFocus(page);
  });
});

test("the leads never make a phone scroll sideways", async () => {
  const body = { reason: "billing", contact: { name: "Olga Open", phone: "+1 617 555 0142" } };
  expect((await site.api("POST", "/api/tenant/leads", { token: await site.tokenFor(clinic.login), body })).status).toBe(201);
  await site.visit({ as: clinic.login, viewport: phone }, async ({ page }) => {
    await open(page, "/tenant/leads");
    await expect
      .poll(
        () =>
          partOf(page, "Leads")
            .getByRole("button", { name: /^Open lead/ })
            .count(),
        longTimeout,
      )
      .toBe(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  });
});
