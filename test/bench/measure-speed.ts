import { readFile } from "node:fs/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Demo } from "../../packages/local-cloud/demo/file.ts";
import { demoPath } from "../call/demo-file.ts";
import { openWire } from "../call/platforms/request.ts";
import { startBrowser } from "../kit/browser/start.ts";
import { median } from "./median.ts";

/**
 * `node test/bench/measure-speed.ts [origin] [path…]`: speed of the public pages, and of an administrator's start with three tabs, on slow
 * 4G with a four times slower CPU, in Chromium. Medians of five visits; fails when `/` or the start exceeds its limit.
 */

/** 1.6 Mbit/s down, 750 kbit/s up, 150 ms there and back. */
const slow4g = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const slowdown = 4;
const visits = 5;

type Measured = { firstPaint: number; largestPaint: number; blocked: number; shift: number };
const limits: Partial<Measured> = { firstPaint: 700, blocked: 300, shift: 0 };
const units = { firstPaint: "ms", largestPaint: "ms", blocked: "ms", shift: "" };

/** Runs in the page before its scripts. */
const observe = (): void => {
  const seen = { firstPaint: 0, largestPaint: 0, blocked: 0, shift: 0, interaction: 0 };
  Object.assign(window, { seen });
  const hear = (type: string, take: (entry: PerformanceEntry & { value?: number }) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  hear("paint", ({ name, startTime }) => {
    if (name === "first-contentful-paint") seen.firstPaint = startTime;
  });
  hear("largest-contentful-paint", ({ startTime }) => {
    seen.largestPaint = startTime;
  });
  hear("longtask", ({ duration, startTime }) => {
    if (startTime >= seen.firstPaint) seen.blocked += Math.max(0, duration - 50);
  });
  hear("layout-shift", ({ value = 0 }) => {
    seen.shift += value;
  });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.interaction = Math.max(seen.interaction, duration);
  }).observe({ type: "event", buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
};

const onWeakDevice = async (context: BrowserContext): Promise<Page> => {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", slow4g);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await page.addInitScript(observe);
  return page;
};

const visit = async (browser: Browser, address: string): Promise<Measured> => {
  const context = await browser.newContext({ viewport: { width: 360, height: 780 } });
  const page = await onWeakDevice(context);
  await page.goto(address, { waitUntil: "networkidle" });
  await page.waitForTimeout(1000);
  const seen = await page.evaluate(() => (window as unknown as { seen: Measured }).seen);
  await context.close();
  return seen;
};

type Start = Pick<Measured, "largestPaint"> & { interaction: number; requests: number };
const startLimits: Start = { largestPaint: 2000, interaction: 200, requests: 66 };
const startUnits = { largestPaint: "ms", interaction: "ms", requests: "" };
const tabs = ["analytics", "offices", "audit"];

/** `interaction`: from a press of a tab to the next paint, the longest of them. */
const start = async (browser: Browser, origin: string, token: string): Promise<Start> => {
  const localStorage = [{ name: "auth_token", value: token }];
  const context = await browser.newContext({
    viewport: { width: 360, height: 780 },
    storageState: { cookies: [], origins: [{ origin, localStorage }] },
  });
  const page = await onWeakDevice(context);
  let requests = 0;
  page.on("request", () => void (requests += 1));
  await page.goto(`${origin}/tenant`, { waitUntil: "networkidle" });
  for (const tab of tabs) {
    await page.locator(`[role=tab][data-value=${tab}]`).click();
    await page.waitForLoadState("networkidle");
    await page.waitForTimeout(500);
  }
  const seen = await page.evaluate(() => (window as unknown as { seen: Pick<Start, "largestPaint" | "interaction"> }).seen);
  await context.close();
  return { ...seen, requests };
};

const tokenOf = async (origin: string): Promise<string> => {
  const { tenants } = JSON.parse(await readFile(demoPath(process.env["VITALINE_DATA"] ?? ".local"), "utf8")) as Demo;
  const { answer } = await openWire(origin).tell({ path: "/api/auth/login", headers: {}, body: tenants[0]!.admin });
  return (answer as { token: string }).token;
};

function print<M extends Record<string, number>>(
  name: string,
  runs: readonly M[],
  units: Record<keyof M, string>,
  limits: Partial<M>,
): void {
  for (const what of Object.keys(units)) {
    const value = median(runs.map((run) => run[what]!));
    const limit = limits[what];
    const isOver = limit !== undefined && Math.round(value * 1000) / 1000 > limit;
    if (isOver) process.exitCode = 1;
    const shown = what === "shift" ? value.toFixed(3) : value.toFixed(0);
    const allowed = limit === undefined ? "" : ` of at most ${limit}`;
    process.stdout.write(`${name.padEnd(12)}${what.padEnd(14)}${shown.padStart(7)} ${units[what]}${allowed}${isOver ? "  OVER" : ""}\n`);
  }
}

const [origin = "http://localhost:8080", ...given] = process.argv.slice(2);
const paths = given.length > 0 ? given : ["/", "/pricing", "/contact", "/login"];
const browser = await startBrowser("real");
try {
  for (const path of paths) {
    const runs: Measured[] = [];
    while (runs.length < visits) runs.push(await visit(browser, origin + path));
    print(path, runs, units, path === "/" ? limits : {});
  }
  if (given.length === 0) {
    const token = await tokenOf(origin);
    const starts: Start[] = [];
    while (starts.length < visits) starts.push(await start(browser, origin, token));
    print("/tenant", starts, startUnits, startLimits);
  }
} finally {
  await browser.close();
}
