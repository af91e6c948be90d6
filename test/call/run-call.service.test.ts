import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { startClinics, type Clinics } from "../../functions/voice/clinics.fixture.ts";
import { runCall, type FinishedCall } from "./run-call.ts";
import type { ScenarioName } from "./scenarios.ts";

vi.setConfig({ testTimeout: 30_000 });

let town: Clinics;
beforeAll(async () => {
  town = await startClinics();
}, 60_000);
afterAll(() => town.close());
beforeEach(() => void vi.spyOn(process.stdout, "write").mockImplementation(() => true));
afterEach(() => vi.restoreAllMocks());

const phone = (scenario: ScenarioName, patient: number): Promise<FinishedCall> => {
  const { apiKey, sandbox } = town.clinics[0];
  return runCall({ origin: town.origin, apiKey, platform: "vapi", scenario, patient: sandbox.patients[patient]! });
};
const saidIn = ({ moments }: FinishedCall): string[] => moments.flatMap((moment) => (moment.kind === "line" ? [moment.text] : []));

const Report = z.object({
  message: z.object({
    startedAt: z.string(),
    endedAt: z.string(),
    durationSeconds: z.number(),
    artifact: z.object({ messages: z.array(z.object({ time: z.number(), endTime: z.number(), secondsFromStart: z.number() })) }),
  }),
});
const Rescheduled = z.object({ appointment: z.object({ start: z.string() }), replaced: z.object({ start: z.string() }) });

it("a call reports the time that its lines would take, one after the other", async () => {
  const call = await phone("book", 0);
  const { startedAt, endedAt, durationSeconds, artifact } = z.parse(Report, call.exchanges.at(-1)?.body).message;
  const words = saidIn(call).join(" ").split(/\s+/).length;
  expect(durationSeconds).toBeGreaterThanOrEqual(Math.floor(words / 2.5));
  expect(Date.parse(endedAt) - Date.parse(startedAt)).toBe(durationSeconds * 1000);
  let last = Date.parse(startedAt);
  for (const { time, endTime, secondsFromStart } of artifact.messages) {
    expect(time).toBeGreaterThanOrEqual(last - 1);
    expect(time - Date.parse(startedAt)).toBeCloseTo(secondsFromStart * 1000, 0);
    last = endTime;
  }
});

it("a patient with several appointments names the one to cancel", async () => {
  await phone("book", 1);
  await phone("book", 1);
  expect(saidIn(await phone("cancel", 1))).toContain("Please cancel the first one.");
});

it("a patient moves an appointment to a different time", async () => {
  for (const patient of [2, 3, 4]) {
    const { moments } = await phone("reschedule", patient);
    const found = moments.flatMap((moment) => (moment.kind === "tool" ? [moment.found] : [])).at(-1);
    const { appointment, replaced } = z.parse(Rescheduled, found);
    expect(appointment.start).not.toBe(replaced.start);
  }
});
