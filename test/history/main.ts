import { once } from "node:events";
import { createInterface } from "node:readline";
import { setPriority } from "node:os";
import { clinicClock } from "../../packages/sandbox-ehr/store/clinic-time.ts";
import { planCalls } from "./calendar.ts";
import { installClock } from "./clock.ts";
import { Job, type Told } from "./job.ts";
import { openRecords } from "./records.ts";

/**
 * The past of one clinic of the demo, made by a clock of its own: scripted callers phone the code that serves voice platforms, one after the
 * other, then the administrator works through the list. The first line of standard input is a Job; a second one says that the stream has
 * been projected.
 */

const lines = createInterface({ input: process.stdin });
// The platform that asked for it is gone
lines.once("close", () => process.exit(1));
const read = async (): Promise<string> => String(((await once(lines, "line")) as [string])[0]);
const tell = (told: Told): void => void process.stdout.write(`${JSON.stringify(told)}\n`);

const job = Job.parse(JSON.parse(await read()));
// The running platform comes first
setPriority(5);
const startMs = Date.parse(clinicClock(job.startDay)(0));
const firstMs = startMs - job.days * 86_400_000;
Object.assign(process.env, job.environment);
const clock = installClock(firstMs);
const records = await openRecords(job.ehrOrigin, { days: job.days, clinic: job.clinic.number, clock });

const { allowLoopback } = await import("@vitaline/outbound");
const { readAppSecrets } = await import("@vitaline/aws");
const { openPlayer } = await import("./play.ts");
const { countProbes } = await import("./health.ts");
const { sendDue } = await import("./reminders.ts");
const { workThroughList } = await import("./staff.ts");
allowLoopback("arn:aws:lambda:us-east-1:000000000000:function:vitaline-local-voice");
await readAppSecrets();

const player = await openPlayer(job, clock, records);
const calls = planCalls(job);
// Calls are finished in order, so only those after the last known one may have been played too
let isKnown = true;
for (const [at, call] of calls.entries()) {
  if (at < job.finished) continue;
  const state = isKnown ? await player.state(call) : "new";
  if (state === "new") {
    isKnown = false;
    await player.play(call);
  } else if (state === "begun") await player.end(call);
  tell({ finished: at + 1 });
}
tell({ callsMade: true });
await read();
await sendDue(job, clock, records, { firstMs, startMs });
clock.at(startMs);
await workThroughList(job, clock, startMs);
await countProbes(job, clock, await player.recordSystem());
tell({ whole: true });
process.exit(0);
