import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type PlatformOptions, startPlatform } from "../../packages/local-cloud/platform.ts";
import { breakableFunctions } from "./breakable.ts";
import { causeOf } from "./causes.ts";
import type { Scene, Spec } from "./scene.ts";
import { openTimeline } from "./timeline.ts";

/**
 * `npm run drill:alarms`: on a platform of its own, causes what each alarm of the templates watches for, and waits until the outbox tells
 * of it. The clock is moved, so a drill of hours takes minutes.
 */

const minuteMs = 60_000;
/** What happens alone begins when the others are over. */
const aloneAfterMs = 40 * minuteMs;
/** From then on an hour passes at once: what runs once a day is silent after three. */
const minutesUntilMs = 90 * minuteMs;
const limitMs = 4 * 24 * 60 * minuteMs;

const momentOf = ({ alone, apart, last }: ReturnType<typeof causeOf>): number =>
  (alone ? aloneAfterMs : 0) + (apart ? 2 * minuteMs : 0) + minuteMs / 2 + (last ? minuteMs / 60 : 0);

type Row = { alarm: string; cause: string; seconds?: number };

type Mail = { subject?: string };

async function toldIn({ platform }: Scene): Promise<Set<string>> {
  const mails = (await (await fetch(`${platform.demo!.outbox}.json`)).json()) as Mail[];
  return new Set(mails.flatMap(({ subject = "" }) => /^ALARM: "([^"]+)"/.exec(subject)?.[1] ?? []));
}

async function drill(scene: Scene): Promise<Row[]> {
  const { platform, timeline } = scene;
  const { monitoring } = platform.cloud;
  const causedAtMs = new Map<string, number>();
  const rows = new Map<string, Row>(monitoring.specs.map((alarm) => [alarm.name, { alarm: alarm.name, cause: causeOf(alarm).words }]));
  const isTold = (name: string): boolean => rows.get(name)?.seconds !== undefined;

  const cause = async (alarm: Spec): Promise<void> => {
    if (isTold(alarm.name)) return;
    if (!causedAtMs.has(alarm.name)) causedAtMs.set(alarm.name, timeline.clock());
    await causeOf(alarm).happen(scene, alarm);
  };
  const look = async (): Promise<void> => {
    const told = monitoring.evaluate().length > 0 ? await toldIn(scene) : [];
    for (const name of told) {
      const row = rows.get(name);
      const caused = causedAtMs.get(name);
      if (row && row.seconds === undefined && caused !== undefined) row.seconds = Math.round((timeline.clock() - caused) / 1000);
    }
    const elapsedMs = timeline.elapsedMs();
    if (elapsedMs < limitMs) timeline.after(elapsedMs < minutesUntilMs ? minuteMs : 60 * minuteMs, look);
  };

  for (const alarm of monitoring.specs)
    for (let period = 0; period < alarm.rule.evaluationPeriods; period++)
      timeline.after(momentOf(causeOf(alarm)) + period * alarm.rule.periodMs, () => cause(alarm));
  timeline.after(minuteMs, look);
  await timeline.runUntil(() => [...rows.keys()].every(isTold));
  return [...rows.values()];
}

const columns = ({ alarm, cause, seconds }: Row): string[] => [alarm, cause, seconds === undefined ? "not told" : String(seconds)];

function tableOf(rows: Row[]): string {
  const lines = [["Alarm", "Cause", "Seconds until told"], ...rows.map(columns)];
  const widths = [0, 1].map((column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map(([alarm = "", cause = "", seconds = ""]) => `${alarm.padEnd(widths[0]!)}  ${cause.padEnd(widths[1]!)}  ${seconds}`)
    .join("\n");
}

const folder = mkdtempSync(path.join(tmpdir(), "vitaline-drill-"));
const dataDir = path.join(folder, "data");
const timeline = openTimeline();
const breakable = breakableFunctions(path.join(folder, "functions"));
mkdirSync(path.join(folder, "functions"));
let hook: PlatformOptions["fault"];
const platform = await startPlatform({
  port: 0,
  dataDir,
  quiet: true,
  clock: timeline.clock,
  evaluatesAlarms: false,
  asyncRetryMs: [0],
  prepareFunction: breakable.prepare,
  fault: (call) => hook?.(call),
});
try {
  const rows = await drill({ platform, dataDir, breakable, timeline, fault: (next) => void (hook = next) });
  process.stdout.write(`${tableOf(rows)}\n`);
  const untold = rows.filter(({ seconds }) => seconds === undefined);
  const { refused } = platform.cloud.monitoring;
  for (const { alarm, why } of refused) process.stdout.write(`${alarm}: refused, because ${why}\n`);
  process.stdout.write(`${rows.length - untold.length} of ${rows.length} alarms were told.\n`);
  process.exitCode = untold.length + refused.length === 0 && rows.length > 0 ? 0 : 1;
} finally {
  await platform.close();
  rmSync(folder, { recursive: true, force: true });
}
