import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { proves } from "../requirements/proves.ts";
import { panelOf, visitConsole } from "../kit/browser/console.ts";
import { openSite, type Site } from "../kit/browser/site.ts";

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.close());

const logs = Array.from({ length: 9 }, (_, at) => ({
  ...{
    id: `01hzzzzzzzzzzzzzzzzzzzzzz${at}`,
    level: at === 1 ? "ERROR" : "INFO",
    action: at === 1 ? "access.refuse" : `session.login${at}`,
  },
  ...{ actorName: "Ada Byron", description: `What was done ${at}`, timestamp: "2026-05-01T15:00:00.000Z" },
}));
const activity = { logs, todayCount: 12, weekCount: 1234, securityEvents: 5, failedAttempts: 2 };

const look = async (page: Page) => {
  const panel = panelOf(page, "Audit Logs");
  const list = panel.getByRole("list", { name: "Recent activity" });
  const colors = await Promise.all(
    ["session.login0", "access.refuse"].map((action) =>
      panel.getByText(action, { exact: true }).evaluate((badge) => getComputedStyle(badge).backgroundColor),
    ),
  );
  const second = await list.getByRole("listitem").nth(1).innerText();
  const maxHeight = await list.evaluate((one) => getComputedStyle(one).maxHeight);
  const cut = await list.evaluate((one) => {
    const frame = one.getBoundingClientRect();
    const rows = [...one.children].map((row) => row.getBoundingClientRect()).filter(({ left }) => left < frame.right - 1);
    return { shown: rows.length, beyond: rows.filter(({ bottom }) => bottom > frame.bottom + 1).length, height: one.clientHeight };
  });
  await panel.getByRole("button", { name: "Show all 9", exact: true }).click();
  const [frame, last] = [await panel.boundingBox(), await list.getByRole("listitem").last().boundingBox()];
  await panel.getByRole("button", { name: "Show the latest only", exact: true }).click();
  return { colors, second, maxHeight, cut, frame: frame!, last: last!, again: await list.evaluate((one) => one.clientHeight) };
};
let seen: Awaited<ReturnType<typeof look>> | undefined;
const lookOnce = async () => {
  if (seen) return seen;
  const before = (page: Page) =>
    page.route(
      ({ pathname }) => pathname === "/api/dashboard/audit-logs",
      (route) => route.fulfill({ json: activity }),
    );
  await visitConsole(site, "/admin?tab=audit", async (page) => void (seen = await look(page)), { before });
  return seen!;
};

proves("D2.2-062", async () => {
  const { colors, second } = await lookOnce();
  const [red = 0, green = 0] = (colors[1]?.match(/[\d.]+/g) ?? []).map(Number);
  expect(second).toMatch(/^access\.refuse\s+May 1[^]*Ada Byron\s+What was done 1$/);
  expect(colors[0]).not.toBe(colors[1]);
  expect(red).toBeGreaterThan(green);
});
proves("D2.2-063", async () => {
  const { maxHeight, cut, frame, last, again } = await lookOnce();
  expect(maxHeight).toBe("240px");
  expect(cut.height).toBeLessThanOrEqual(240);
  expect(cut.shown).toBeGreaterThan(1);
  expect(cut.shown).toBeLessThan(9);
  expect(cut.beyond).toBe(0);
  expect(last.x + last.width).toBeLessThanOrEqual(frame.x + frame.width);
  expect(last.y + last.height).toBeLessThanOrEqual(frame.y + frame.height);
  expect(again).toBeLessThanOrEqual(240);
});
