import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signIn } from "../../packages/local-cloud/demo/client.ts";
import { type HistorySize, usualHistory } from "../../packages/local-cloud/demo/history.ts";
import { auditorsMorning, lastMonthAndTheOneBefore, managersWeek, openDemo, type PastCall } from "./two-journeys.ts";
import { type Platform, startPlatform } from "../../packages/local-cloud/platform.ts";

let dataDir: string;
let platform: Platform;
/** At full length the one of `npm start`. */
const size: HistorySize = process.env["FULL"] ? usualHistory : { days: 12, calls: 24 };
const told: string[] = [];
const start = (): Promise<Platform> =>
  startPlatform({ port: 0, dataDir, quiet: true, evaluatesAlarms: false, history: size, tellHistory: (line) => void told.push(line) });

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "history-"));
  platform = await start();
}, 240_000);
afterAll(async () => {
  await platform?.close();
  await rm(dataDir, { recursive: true, force: true });
});

const asked = async <T>(number: number, route: string): Promise<{ body: T; next: string | undefined }> => {
  const token = await signIn(platform.origin, platform.demo!.tenants[number]!.admin);
  const response = await fetch(route.startsWith("/") ? platform.origin + route : route, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  const next = /<([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
  return { body: (await response.json()) as T, next };
};

type Call = PastCall & { status: string; platform: string };
async function callsOf(number: number): Promise<Call[]> {
  const found: Call[] = [];
  for (let route: string | undefined = "/api/tenant/calls?limit=100"; route;) {
    const { body, next }: { body: Call[]; next: string | undefined } = await asked<Call[]>(number, route);
    found.push(...body);
    route = next;
  }
  return found;
}

const todays = [3, 2];
const dayIn = (at: string): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: "America/New_York", dateStyle: "short" }).format(new Date(at));

test("a default start has ninety days of calls in both clinics, each counted once on its own day, with failures among them; a manager's week and an auditor's morning pass on it, and the next start adds none", async () => {
  // Today's calls are there before the history is
  for (const number of [0, 1]) expect((await callsOf(number)).length).toBeGreaterThanOrEqual(todays[number]!);
  await platform.history!.done;
  expect(told.at(-1)).toContain(`all ${(2 * size.calls).toLocaleString("en-US")}`);

  const before = await Promise.all([0, 1].map(callsOf));
  for (const [number, calls] of before.entries()) {
    expect(calls).toHaveLength(size.calls + todays[number]!);
    expect(new Set(calls.map(({ status }) => status))).toEqual(new Set(["completed", "failed"]));
    expect(new Set(calls.map((call) => call.platform))).toEqual(new Set(["vapi", "retellai", "elevenlabs"]));
    const failed = calls.filter(({ success }) => success === false).length / calls.length;
    expect(failed).toBeGreaterThan(0.1);
    expect(failed).toBeLessThan(0.6);
    const { body: days } = await asked<{ date: string; calls: number }[]>(number, "/api/tenant/dashboard/charts?range=90days");
    const started = Map.groupBy(calls, (call) => dayIn(call.createdAt));
    expect(days.filter((day) => day.calls > 0).length).toBeGreaterThan(size.days / 2);
    for (const day of days) expect([day.date, day.calls]).toEqual([day.date, started.get(day.date)?.length ?? 0]);
  }

  const site = await openDemo(platform, dataDir);
  try {
    const compared = size.days < usualHistory.days ? { range: "7days", shows: /Previous period/ } : lastMonthAndTheOneBefore();
    await managersWeek(site, before[0]!, compared);
    await auditorsMorning(site);
  } finally {
    await site.close();
  }
  const after = await Promise.all([0, 1].map(callsOf));
  const past = after.map((calls) => calls.map(({ id }) => id));
  await platform.close();
  platform = await start();
  await platform.history!.done;
  for (const number of [0, 1]) expect((await callsOf(number)).map(({ id }) => id)).toEqual(past[number]);
});
