import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dayMs, utcDate } from "@vitaline/core";
import { updateFhirProvider } from "@vitaline/fhir-providers";
import { allRows, type CallRow, keys, type LeadRow, type TaskRow, type ToDoRow } from "@vitaline/store";
import { tenantPartitions } from "@vitaline/store/keys.ts";
import { project } from "../../functions/events/project/project.ts";
import { StreamEvent } from "../../functions/lib/dynamodb-stream/stream-event.ts";
import { clinicDate } from "../../packages/sandbox-ehr/store/clinic-time.ts";
import { demoClientId, demoScopes } from "../../packages/sandbox-ehr/auth/scopes.ts";
import { type Line, startVoices, type Voices } from "../call/voices.fixture.ts";
import { Job, Told } from "./job.ts";

/** The last Saturday, since the plan depends on the days of the week. */
const today = clinicDate(new Date());
const startDay = utcDate(Date.parse(today) - ((new Date(today).getUTCDay() + 1) % 7) * dayMs);
const size = { startDay, days: 5, calls: 18 };
let voices: Voices;
beforeAll(async () => void (voices = await open()));
afterAll(() => voices.close());

async function open(): Promise<Voices> {
  const opened = await startVoices(0);
  for (const { ctx, sandbox } of opened.town.clinics) {
    const { fhirProviderId } = (await ctx.store.get(keys.tenantConfig()))!;
    const server = { name: "EHR", baseUrl: sandbox.r4.baseUrl, clientId: demoClientId, scopes: demoScopes };
    await updateFhirProvider(opened.town.aws.platform(), fhirProviderId!, server);
  }
  return opened;
}

/** Reads the table's stream to its end, as functions/events/project does. */
async function projectAll(): Promise<void> {
  const stream = voices.town.aws.aws.dynamodb.stream(process.env["TABLE_NAME"] ?? "");
  for (let records = await stream.read("test", 100); records.length > 0; records = await stream.read("test", 100)) {
    await project(voices.town.aws.platform(), StreamEvent.parse({ shardId: "one", Records: records }));
    await stream.ack("test", records.at(-1)?.dynamodb.SequenceNumber ?? "");
  }
}

const accountOf = ({ accounts, called }: Line, platform: "vapi" | "retell" | "elevenlabs") => {
  const { webhookUrl = "", webhookSecret = "", agentId = "" } = accounts[platform] ?? {};
  return { webhookUrl, webhookSecret, agentId, calledNumber: called };
};

function jobFor(number: 0 | 1, finished: number): Job {
  const { id, apiKey, sandbox } = voices.town.clinics[number];
  const line = voices.lines[number];
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(AWS_(ENDPOINT_URL|REGION|ACCESS_KEY_ID|SECRET_ACCESS_KEY)|EGRESS_.*|[A-Z_]+_(ARN|ARNS|PREFIX|SECONDS|BUCKET|NAME))$/.test(name),
    ),
  );
  return Job.parse({
    environment,
    origin: voices.origin,
    ehrOrigin: sandbox.origin,
    clinic: {
      ...{
        number,
        kind: number === 0 ? "family" : "children",
        id,
        apiKey,
        adminId: "01k9vn4j5dq4s3w5m7q8e2a1bc",
        officeNumbers: [line.called],
      },
      accounts: { vapi: accountOf(line, "vapi"), retell: accountOf(line, "retell"), elevenlabs: accountOf(line, "elevenlabs") },
    },
    ...size,
    finished,
  });
}

/** Runs the process that makes a past; `killAfter`: so many calls. Returns the calls that it told of. */
async function make(number: 0 | 1, { finished = 0, killAfter = Number.POSITIVE_INFINITY } = {}): Promise<number> {
  const child = spawn(process.execPath, ["--no-warnings", "test/history/main.ts"], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.stdin.write(`${JSON.stringify(jobFor(number, finished))}\n`);
  let last = finished;
  for await (const line of createInterface({ input: child.stdout })) {
    const told = Told.parse(JSON.parse(line));
    if ("finished" in told && (last = told.finished) >= killAfter) child.kill("SIGKILL");
    if ("callsMade" in told) {
      await projectAll();
      child.stdin.write("\n");
    }
  }
  await ended;
  await projectAll();
  return last;
}

async function rowsOf(number: 0 | 1) {
  const { id, ctx } = voices.town.clinics[number];
  const [calls, leads, tasks, items] = await Promise.all([
    allRows<CallRow>(ctx.store, tenantPartitions.calls(id), { index: "gsi1" }),
    allRows<LeadRow>(ctx.store, tenantPartitions.leads(id), {}),
    allRows<TaskRow>(ctx.store, tenantPartitions.tasks(id), {}),
    allRows<ToDoRow>(ctx.store, tenantPartitions.toDo(id), {}),
  ]);
  return { calls, leads, tasks, items };
}

/** Without the ids that each table has of its own. */
async function pastOf(number: 0 | 1) {
  const { calls, leads, tasks, items } = await rowsOf(number);
  return {
    calls: calls.map(
      ({ startedAt, platform, status, durationSeconds, endedReason, success, forwarded, numberEnding, language, toolsUsed }) => ({
        ...{ startedAt, platform, status, durationSeconds, endedReason, success, forwarded, numberEnding, language },
        tools: [...(toolsUsed ?? [])].toSorted(),
      }),
    ),
    leads: leads.map(({ reason, handledAt }) => [reason, handledAt?.slice(0, 16)]),
    tasks: tasks.map(({ kind, closedAt }) => [kind, closedAt?.slice(0, 16)]),
    open: items.filter(({ doneAt }) => doneAt === undefined).length,
  };
}

test("a clinic's past is whole, on its own days, with work done and open, and the next start adds nothing; one that was killed is the same up to there, and is completed", async () => {
  expect(await make(0)).toBe(size.calls);
  const whole = await pastOf(0);
  expect(whole.calls).toHaveLength(size.calls);
  for (const { startedAt, status } of whole.calls) {
    expect(startedAt >= utcDate(Date.parse(startDay) - size.days * dayMs) && startedAt < `${startDay}T05:00`).toBe(true);
    expect(["completed", "failed"]).toContain(status);
  }
  expect([...whole.leads, ...whole.tasks].filter(([, doneAt]) => doneAt !== undefined).length).toBeGreaterThan(0);
  expect((await rowsOf(1)).calls).toEqual([]);

  // Six calls were finished that were not noted
  await make(0, { finished: size.calls - 6 });
  expect(await pastOf(0)).toEqual(whole);

  await voices.close();
  voices = await open();
  const [killedAt, noted] = [9, 6];
  await make(0, { killAfter: killedAt });
  const byStart = ({ calls }: typeof whole) => calls.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
  expect(byStart(await pastOf(0)).slice(0, killedAt)).toEqual(byStart(whole).slice(0, killedAt));
  await make(0, { finished: noted });
  const completed = await pastOf(0);
  expect(byStart(completed).slice(0, killedAt)).toEqual(byStart(whole).slice(0, killedAt));
  expect(completed.calls.map(({ status }) => status)).toEqual(whole.calls.map(({ status }) => status));
});
