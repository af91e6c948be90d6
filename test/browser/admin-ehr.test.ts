import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { proves } from "../requirements/proves.ts";
import { panelOf, visitConsole } from "../kit/browser/console.ts";
import { openSite, type Site } from "../kit/browser/site.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

const statuses = ["healthy", "unhealthy", "unknown"] as const;
const names = { healthy: "Good EHR", unhealthy: "Bad EHR", unknown: "New EHR" };
const history = [..."+++-++"].map((mark, minute) => ({
  ...{ at: `2026-05-01T09:0${minute}:00.000Z`, status: mark === "+" ? "healthy" : "unhealthy", ms: 80 },
}));

const withStatuses = async (page: Page): Promise<void> => {
  const ids = statuses.map((_, at) => `01hzzzzzzzzzzzzzzzzzzzzzz${at}`);
  await page.route("**/api/admin/fhir/providers", async (route) => {
    const [one] = (await (await route.fetch()).json()) as object[];
    const json = statuses.map((status, at) => ({ ...one, id: ids[at], name: names[status], connectionStatus: status }));
    await route.fulfill({ json });
  });
  const health = { endpoint: "https://ehr.example/r4", lastChecked: null, certificateExpiry: null };
  const providers = statuses.map((status, at) => ({
    ...{ ...health, id: ids[at], name: names[status], status },
    history: status === "unhealthy" ? history : [],
  }));
  await page.route("**/api/admin/fhir/health-status", (route) => route.fulfill({ json: { providers } }));
};

const colorOf = (one: Locator, part: "backgroundColor" | "fill" | "stroke"): Promise<string> =>
  one.evaluate((element, name) => getComputedStyle(element)[name], part);
const leftOf = (one: Locator): Promise<number> => one.evaluate((element) => element.getBoundingClientRect().left);

const look = async (page: Page) => {
  const [list, health] = [panelOf(page, "FHIR Providers"), panelOf(page, "Connection Health")];
  const badge = (name: string) => list.locator("tbody tr", { hasText: name }).getByText(/^(Healthy|Unhealthy|Unknown)$/);
  const dot = (name: string) => health.getByRole("listitem").filter({ hasText: name }).locator("span[aria-hidden]").first();
  const picture = health.getByRole("img");
  const [healthy, failed] = [picture.locator("rect"), picture.locator("path")];
  return {
    badges: await Promise.all(statuses.map((status) => colorOf(badge(names[status]), "backgroundColor"))),
    dots: await Promise.all(statuses.map((status) => colorOf(dot(names[status]), "backgroundColor"))),
    marks: [await colorOf(healthy.first(), "fill"), await colorOf(failed, "stroke")],
    lefts: await Promise.all([healthy.nth(2), failed, healthy.nth(3)].map(leftOf)),
  };
};
let seen: Promise<Awaited<ReturnType<typeof look>>> | undefined;
const looked = () =>
  (seen ??= (async () => {
    let found: Awaited<ReturnType<typeof look>> | undefined;
    await visitConsole(site, "/admin?tab=fhir", async (page) => void (found = await look(page)), { before: withStatuses });
    return found!;
  })());

proves("D2.4-007", async () => {
  const [healthy, unhealthy, unknown] = (await looked()).badges;
  expect(unknown).toBe(unhealthy);
  expect(unknown).not.toBe(healthy);
});
proves("D2.2-049", async () => {
  const [healthy = [], unhealthy = [], unknown = []] = (await looked()).dots.map((color) => (color.match(/[\d.]+/g) ?? []).map(Number));
  const [red = 0, green = 0] = healthy;
  expect(green).toBeGreaterThan(red);
  expect(unhealthy[0]).toBeGreaterThan(unhealthy[1] ?? 255);
  expect(Math.max(...unknown.slice(0, 3)) - Math.min(...unknown.slice(0, 3))).toBeLessThan(40);
});
test("a check that failed has another color than a healthy one, and stands where it was among them", async () => {
  const { marks, lefts } = await looked();
  expect(marks[0]).not.toBe(marks[1]);
  expect(lefts).toEqual(lefts.toSorted((one, other) => one - other));
  expect(new Set(lefts).size).toBe(3);
});

proves("D2.9-001", () =>
  visitConsole(site, "/admin?tab=voice", async (page) => {
    for (const name of ["Most recent voice providers", "Most recent voice agents"]) {
      const frame = page.getByRole("group", { name });
      expect(await frame.getByRole("listitem").count()).toBe(5);
      expect(await frame.evaluate((element) => getComputedStyle(element).overflowY)).toBe("auto");
      expect(await frame.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
      await frame.evaluate((element) => element.style.setProperty("max-height", "8rem"));
      await expect.poll(() => frame.getAttribute("tabindex"), { timeout: 15_000 }).toBe("0");
    }
  }),
);
