import { afterAll, beforeAll, expect, test } from "vitest";
import { tabTo, open, reads, openSite, phone, type Site } from "../../kit/browser/site.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

test("the tool console can be used by the keyboard alone, also on a phone", async () => {
  await site.visit({ as: site.demo.tenants[0]!.admin, viewport: phone }, async ({ page }) => {
    await open(page, "/tenant/developers/test?tool=getFhirProviders");
    await page.getByRole("region", { name: "Test a tool" }).getByLabel("Tool", { exact: true }).focus();
    await tabTo(page, "Run tool");
    await page.keyboard.press("Enter");
    await reads(page.getByRole("region", { name: "Test call" }), /getFhirProviders\s+(Answered|Refused)/);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Run tool");
    await tabTo(page, "Start over");
  });
});
