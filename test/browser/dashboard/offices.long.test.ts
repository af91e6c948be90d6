import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hasFocus, open, longTimeout, reads, settled, addTenant, openSite, phone, type Login, type Site } from "../../kit/browser/site.ts";
import { openOffice } from "../../gallery/looks/offices.ts";

let site: Site;
let clinic: Login;
let officeId: string;
beforeAll(async () => {
  site = await openSite();
  clinic = await addTenant(site, "Office Clinic");
  const staffRouting = ["Desk", "Nurse", "Night"].map((label, at) => ({ label, phone: `617 555 010${at}` }));
  const token = await site.tokenFor(clinic);
  const { json } = await site.api<{ id: string }>("POST", "/api/tenant/offices", { token, body: { name: "Long Office", staffRouting } });
  officeId = json.id;
});
afterAll(() => site?.close());

const dialogOf = (page: Page) => page.getByRole("dialog");
const isClosed = async (page: Page): Promise<void> => {
  await expect.poll(() => dialogOf(page).count(), longTimeout).toBe(0);
};
const isWithin = (part: Locator, page: Page): Promise<boolean> =>
  part.evaluate((element, width) => {
    const { left, right, top, height } = element.getBoundingClientRect();
    const inFront = document.elementFromPoint((left + right) / 2, top + height / 2);
    return left >= 0 && right <= width && element.contains(inFront);
  }, page.viewportSize()!.width);

test("the focus returns to the feature that opened an office's dialog, and Back does not open it again", async () => {
  await site.visit({ as: clinic }, async ({ page }) => {
    await open(page, "/tenant?tab=offices");
    const way = page.getByRole("link", { name: "Set business hours" });
    await way.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => dialogOf(page).getByRole("tab", { name: "Hours", selected: true }).count(), longTimeout).toBe(1);
    await page.keyboard.press("Escape");
    await isClosed(page);
    await hasFocus(way);

    await way.click();
    await dialogOf(page).getByRole("tab", { name: "Details" }).click();
    await page.getByLabel("Address").fill("Somewhere");
    await page.keyboard.press("Escape");
    await reads(page.getByRole("alertdialog"), /Discard changes\?/);
    await page.getByRole("button", { name: "Discard", exact: true }).click();
    await isClosed(page);
    await page.goBack();
    await settled(page);
    expect(await dialogOf(page).count()).toBe(0);
  });
});

test("staff are moved by keyboard, with the focus kept", async () => {
  await site.visit({ as: clinic }, async ({ page }) => {
    await openOffice(page, officeId, "routing");
    const labels = () =>
      page.getByLabel("Label", { exact: true }).evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
    await page.getByRole("button", { name: "Move Night up" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(labels, longTimeout).toEqual(["Desk", "Night", "Nurse"]);
    await page.keyboard.press("Enter");
    await expect.poll(labels, longTimeout).toEqual(["Night", "Desk", "Nurse"]);
    await page.getByRole("button", { name: "Remove Desk" }).click();
    await hasFocus(page.getByRole("button", { name: "Add destination" }));
  });
});

test("an office's sections stay visible while one is scrolled, and so does the focused element", async () => {
  await site.visit({ as: clinic, viewport: phone }, async ({ page }) => {
    await openOffice(page, officeId, "routing");
    const boxOf = async (part: Locator) => (await part.boundingBox())!;
    const tab = dialogOf(page).getByRole("tab", { name: "Staff routing" });
    await expect.poll(() => isWithin(tab, page), longTimeout).toBe(true);
    const before = await boxOf(tab);
    await page.getByLabel("Label", { exact: true }).last().focus();
    await page.getByLabel("Label", { exact: true }).first().focus();
    const first = await boxOf(page.getByLabel("Label", { exact: true }).first());
    const strip = await boxOf(dialogOf(page).getByRole("tablist"));
    expect(first.y).toBeGreaterThanOrEqual(strip.y + strip.height);
    await page.getByRole("button", { name: "Add destination" }).focus();
    expect((await boxOf(tab)).y).toBeLessThanOrEqual(before.y);
    expect(await isWithin(tab, page)).toBe(true);
    await dialogOf(page).getByRole("tab", { name: "Calendar" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => isWithin(dialogOf(page).getByRole("tab", { name: "Calendar" }), page), longTimeout).toBe(true);
  });
});
