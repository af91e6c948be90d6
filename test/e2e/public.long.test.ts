import { afterAll, beforeAll, expect, test } from "vitest";
import { setUp } from "./installation.fixture.ts";
import { open, reads } from "./look.fixture.ts";
import { openSite, type Site } from "./site.fixture.ts";

const calendar = "https://cal.com/vitaline/demo/embed";

let site: Site;
beforeAll(async () => {
  site = await openSite({ mutateTemplate: setUp({ calendar, placesLeft: 37 }) });
});
afterAll(() => site?.close());

test("the calendar that an installation names comes into its frame when it is asked for, and nothing of it before", async () => {
  await site.visit({}, async ({ page, context }) => {
    await context.route("https://cal.com/**", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: "<!doctype html><html lang=en><title>Calendar</title><h1>Pick a slot</h1></html>",
      }),
    );
    const asked: string[] = [];
    page.on("request", (request) => void (request.url().startsWith("https://cal.com") && asked.push(request.url())));
    await open(page, "/pricing");
    await reads(page.getByRole("main"), /For the first 100 MVP members: 37 places left/);
    await reads(page.getByRole("region", { name: "Schedule a demo" }), /comes from cal\.com, which sets cookies/);
    expect(asked).toEqual([]);
    await page.getByRole("button", { name: "Choose a time" }).click();
    const frame = page.locator("iframe[title='Schedule a demo']");
    await reads(frame.contentFrame().locator("body"), "Pick a slot");
    expect(asked).toEqual([calendar]);
    expect((await frame.boundingBox())?.height).toBe(700);
  });
});
