import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { open, reads, settled, addTenant, openSite, phone, type Site } from "../../kit/browser/site.ts";
import { badCall, idOf, report } from "../../kit/browser/reported-calls.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

const panelOf = (page: Page): Locator => page.getByRole("region", { name: "Recent Call Details", exact: true });

test("text from callers and platforms loads nothing and does not make a phone scroll sideways", async () => {
  const hostile = [
    "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>",
    "[click](javascript:document.title='taken') ![x](https://evil.example/x.png) **bold**",
    "\u202egnirts\u202c \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 a\u200bb\u200dc\ufeffd",
    "W".repeat(5000),
  ].join("\n");
  const clinic = await addTenant(site, "Hostile Clinic");
  const name = "<b>Caller</b>".padEnd(100, "W");
  const hostileCall = {
    ...badCall("hostile"),
    ...{ summary: hostile, agentName: name, endedReason: name, callerNumber: "<i>+1</i>", sentiment: name },
    ...{ analysis: { [name]: hostile, callerName: name }, transcript: { messages: [{ role: "caller", text: hostile, atSeconds: 1 }] } },
  };
  await report(site, clinic, [hostileCall]);
  const id = await idOf(site, clinic, "hostile");
  await site.visit({ as: clinic, viewport: phone }, async ({ page }) => {
    const elsewhere: string[] = [];
    page.on("request", (request) => void (request.url().startsWith(site.origin) || elsewhere.push(request.url())));
    const wide = (part: Locator) => part.evaluate((element) => element.scrollWidth - element.clientWidth);
    await open(page, "/tenant?tab=analytics");
    await reads(panelOf(page), /1 calls? shown/);
    await settled(page);
    expect(await wide(page.locator("html"))).toBe(0);
    await panelOf(page).getByRole("table").getByRole("link", { name: "View" }).click();
    const dialog = page.getByRole("dialog");
    await reads(dialog.getByRole("region", { name: "Summary" }), /<img src=x onerror=[^]*W{5000}/);
    expect(new URL(page.url()).searchParams.get("call")).toBe(id);
    expect(await dialog.getByRole("region", { name: "Conversation" }).textContent()).toMatch(/<script>[^]*W{5000}/);
    expect(await dialog.locator("b, i, img, script, strong, a[href^=javascript]").count()).toBe(0);
    expect([await wide(page.locator("html")), await wide(dialog.locator(":scope > div"))]).toEqual([0, 0]);
    expect([await page.title(), elsewhere]).toEqual([expect.not.stringContaining("taken"), []]);
  });
});
