import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import type { Demo } from "../../packages/local-cloud/demo/file.ts";
import { startPlatform } from "../../packages/local-cloud/platform.ts";
import { openWire } from "../call/platforms/request.ts";
import { startBrowser } from "../kit/browser/start.ts";
import { crowd, addCrowd } from "./crowd.ts";
import { median } from "./median.ts";

/**
 * `npm run speed:console`: opens each tab of the administrators' console on a platform with many tenants, users and EHRs. Fails for slow
 * first rows, too many parallel requests, or a long frame.
 */

const limits = { firstRows: 1000, inFlight: 6, frame: 100 };
const visits = 5;

const tabs = {
  users: ["Users"],
  tenants: ["Tenants"],
  voice: ["Voice Providers", "Voice Agents"],
  fhir: ["FHIR Providers", "Connection Health", "Provider Assignments"],
  audit: ["Audit Logs", "User Activity", "All Audit Events"],
};
type Tab = keyof typeof tabs;

type Opening = { rows: number[]; inFlight: number; requests: number; frame: number };

type Seen = { frame: number; rows: number[] };
const seenOn = (page: Page): Promise<Seen> => page.evaluate(() => (window as unknown as { seen: Seen }).seen);

/** Runs in the page: after the next press, records the longest frame and when each panel has rows. */
const watch = (panels: readonly string[]): void => {
  const seen: Seen = { frame: 0, rows: panels.map(() => 0) };
  Object.assign(window, { seen });
  const hasRows = (name: string): boolean =>
    [...document.querySelectorAll("main section")].some(
      (panel) => panel.querySelector("h2")?.textContent === name && panel.querySelector("tbody tr, li") !== null,
    );
  const begin = ({ timeStamp: pressed }: Event): void => {
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) if (startTime >= pressed) seen.frame = Math.max(seen.frame, duration);
    }).observe({ type: "long-animation-frame" });
    const look = (): void => {
      for (const [at, name] of panels.entries()) if (seen.rows[at] === 0 && hasRows(name)) seen.rows[at] = performance.now() - pressed;
      if (seen.rows.includes(0)) requestAnimationFrame(look);
    };
    look();
  };
  window.addEventListener("click", begin, { capture: true, once: true });
};

const countRequests = (page: Page): { all: number; most: number } => {
  const counted = { all: 0, most: 0 };
  const open = new Set<unknown>();
  page.on("request", (request) => {
    if (!new URL(request.url()).pathname.startsWith("/api/")) return;
    open.add(request);
    counted.all += 1;
    counted.most = Math.max(counted.most, open.size);
  });
  for (const end of ["requestfinished", "requestfailed"] as const) page.on(end as "requestfinished", (request) => open.delete(request));
  return counted;
};

async function openTab(browser: Browser, demo: Demo, token: string, tab: Tab): Promise<Opening> {
  const localStorage = [{ name: "auth_token", value: token }];
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    storageState: { cookies: [], origins: [{ origin: demo.origin, localStorage }] },
  });
  try {
    const page = await context.newPage();
    await page.goto(`${demo.origin}/admin?tab=${tab === "users" ? "tenants" : "users"}`, { waitUntil: "networkidle" });
    const requests = countRequests(page);
    await page.evaluate(watch, tabs[tab]);
    await page.locator(`[role=tab][data-value=${tab}]`).click();
    await page.waitForFunction(() => !(window as unknown as { seen: Seen }).seen.rows.includes(0), undefined, { timeout: 60_000 });
    await page.waitForLoadState("networkidle", { timeout: 60_000 });
    await page.waitForTimeout(500);
    return { ...(await seenOn(page)), inFlight: requests.most, requests: requests.all };
  } finally {
    await context.close();
  }
}

const say = (what: string, value: number, unit: string, limit?: number): void => {
  const isOver = limit !== undefined && value > limit;
  if (isOver) process.exitCode = 1;
  const allowed = limit === undefined ? "" : ` of at most ${limit}`;
  process.stdout.write(`${what.padEnd(44)}${value.toFixed(0).padStart(6)} ${unit}${allowed}${isOver ? "  OVER" : ""}\n`);
};

const dataDir = await mkdtemp(path.join(tmpdir(), "vitaline-console-"));
const platform = await startPlatform({ port: 0, dataDir, quiet: true });
const browser = await startBrowser("real");
try {
  const demo = platform.demo as Demo;
  process.stdout.write(`Adding ${crowd.tenants} tenants, ${crowd.users} users, ${crowd.fhirProviders} FHIR providers...\n`);
  await addCrowd({ origin: platform.origin, admin: demo.systemAdmin, sandbox: platform.sandbox });
  const { answer } = await openWire(platform.origin).tell({ path: "/api/auth/login", headers: {}, body: demo.systemAdmin });
  for (const tab of Object.keys(tabs) as Tab[]) {
    const openings: Opening[] = [];
    while (openings.length < visits) openings.push(await openTab(browser, demo, (answer as { token: string }).token, tab));
    const middle = (of: (opening: Opening) => number) => median(openings.map(of));
    for (const [index, panel] of tabs[tab].entries())
      say(
        `${tab}: first rows of ${panel}`,
        middle(({ rows }) => rows[index] ?? 0),
        "ms",
        index === 0 ? limits.firstRows : undefined,
      );
    say(
      `${tab}: longest frame`,
      middle(({ frame }) => frame),
      "ms",
      limits.frame,
    );
    say(`${tab}: requests at once`, Math.max(...openings.map(({ inFlight }) => inFlight)), "", limits.inFlight);
    say(
      `${tab}: requests in all`,
      middle(({ requests }) => requests),
      "",
    );
  }
} finally {
  await browser.close();
  await platform.close();
  await rm(dataDir, { recursive: true, force: true });
}
