import type { Browser } from "playwright-core";
import { startBrowser } from "../kit/browser/start.ts";
import { median } from "./median.ts";

/**
 * `node test/bench/measure-speed.ts [origin] [path…]`: speed of the public pages on slow 4G with a four times slower CPU, in Chromium.
 * Medians of five visits; fails when `/` exceeds its limit.
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
  const seen = { firstPaint: 0, largestPaint: 0, blocked: 0, shift: 0 };
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
};

const visit = async (browser: Browser, address: string): Promise<Measured> => {
  const context = await browser.newContext({ viewport: { width: 360, height: 780 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", slow4g);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await page.addInitScript(observe);
  await page.goto(address, { waitUntil: "networkidle" });
  await page.waitForTimeout(1000);
  const seen = await page.evaluate(() => (window as unknown as { seen: Measured }).seen);
  await context.close();
  return seen;
};

const [origin = "http://localhost:8080", ...given] = process.argv.slice(2);
const paths = given.length > 0 ? given : ["/", "/pricing", "/contact", "/login"];
const browser = await startBrowser();
try {
  for (const path of paths) {
    const runs: Measured[] = [];
    while (runs.length < visits) runs.push(await visit(browser, origin + path));
    for (const name of Object.keys(units) as (keyof Measured)[]) {
      const value = median(runs.map((run) => run[name]));
      const limit = path === "/" ? limits[name] : undefined;
      const isOver = limit !== undefined && Math.round(value * 1000) / 1000 > limit;
      if (isOver) process.exitCode = 1;
      const shown = name === "shift" ? value.toFixed(3) : value.toFixed(0);
      const allowed = limit === undefined ? "" : ` of at most ${limit}`;
      process.stdout.write(`${path.padEnd(12)}${name.padEnd(14)}${shown.padStart(7)} ${units[name]}${allowed}${isOver ? "  OVER" : ""}\n`);
    }
  }
} finally {
  await browser.close();
}
