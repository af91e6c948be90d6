import { listLeads } from "@vitaline/leads";
import { listTasks } from "@vitaline/tasks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { openEhr } from "../kit/ehr.ts";
import type { Patient } from "./demo-file.ts";
import { platforms, runCall, type FinishedCall, type PlatformName } from "./run-call.ts";
import type { ScenarioName } from "./scenarios.ts";
import { exampleCall } from "../../web/src/features/site/content/hero-call.ts";
import { sayDate, sayNumber } from "./scenarios/spoken.ts";
import { startVoices, type Voices } from "./voices.fixture.ts";

vi.setConfig({ testTimeout: 30_000 });

const platformNames = Object.keys(platforms) as PlatformName[];
const patientCount = 6 * platformNames.length;

let voices: Voices;
beforeAll(async () => {
  voices = await startVoices(patientCount);
}, 60_000);
afterAll(() => voices.close());
beforeEach(() => void vi.spyOn(process.stdout, "write").mockImplementation(() => true));
afterEach(() => vi.restoreAllMocks());

type Called = { which?: 0 | 1; platform?: PlatformName; patient?: Patient };
const phone = (scenario: ScenarioName, { which = 0, platform = "vapi", patient = voices.nextPatient(which) }: Called = {}) => {
  const { accounts, ...line } = voices.lines[which];
  return runCall({ ...line, origin: voices.origin, account: accounts[platform], platform, scenario, patient });
};
const known = (patient: number): Called => ({ patient: voices.town.clinics[0].sandbox.patients[patient]! });
const saidIn = ({ moments }: FinishedCall): string[] => moments.flatMap((moment) => (moment.kind === "line" ? [moment.text] : []));

const Report = z.object({
  message: z.object({
    startedAt: z.string(),
    endedAt: z.string(),
    durationSeconds: z.number(),
    artifact: z.object({ messages: z.array(z.object({ time: z.number(), endTime: z.number(), secondsFromStart: z.number() })) }),
  }),
});
const Offered = z.object({ slots: z.array(z.object({ practitioner: z.string() })) });
const Rescheduled = z.object({ appointment: z.object({ start: z.string() }), replaced: z.object({ start: z.string() }) });

it("a call reports the time that its lines would take, one after the other", async () => {
  const call = await phone("book", known(0));
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

it("the example on the public site is what is said in a call that books", async () => {
  const patient = voices.town.clinics[0].sandbox.patients[5]!;
  const { moments } = await phone("book", { patient });
  const { given, family, birthDate, phone: number } = patient;
  const own = [`${given} ${family}`, sayDate(birthDate), sayNumber(number), given];
  const ofExample = ["Mateo Ashdown", "March 2, 1984", "617 555 0142", "Mateo"];
  /** Names differ from call to call, and with the schedule what is offered. */
  const neutral = (text: string, names: readonly string[]): string =>
    names
      .reduce((heard, name, at) => heard.replaceAll(name, `<${at}>`), text)
      .replace(/^(I have ).* at (?:\d+:\d\d [AP]M|noon).*(\. Which would you like\?)$/, "$1<offers>$2")
      .replace(/^(You're booked for ).* at (?:\d+:\d\d [AP]M|noon).*\.$/, "$1<time>.");
  const said = moments.flatMap((moment) =>
    moment.kind === "line"
      ? [`${moment.who === "patient" ? "patient" : "agent"}: ${neutral(moment.text, own)}`]
      : moment.kind === "tool"
        ? [moment.tool]
        : [],
  );
  const shown = exampleCall.map((line) => ("tool" in line ? line.tool : `${line.who}: ${neutral(line.text, ofExample)}`));
  expect(said.slice(1, 1 + shown.length)).toEqual(shown);
});

it("a patient with several appointments names the one to cancel", async () => {
  await phone("book", known(1));
  await phone("book", known(1));
  expect(saidIn(await phone("cancel", known(1)))).toContain("The first one, please.");
});

it("a patient moves an appointment to a different time", async () => {
  for (const patient of [2, 3, 4]) {
    const { moments } = await phone("reschedule", known(patient));
    const found = moments.flatMap((moment) => (moment.kind === "tool" ? [moment.found] : [])).at(-1);
    const { appointment, replaced } = z.parse(Rescheduled, found);
    expect(appointment.start).not.toBe(replaced.start);
  }
});

describe.each(platformNames)("through %s, by what its model sees alone", (platform) => {
  const tasksOf = async (which: 0 | 1) =>
    (await listTasks(voices.town.clinics[which].ctx, {})).rows.map(({ kind, callId }) => ({ kind, callId }));

  it.each([
    ["English", "emergency"],
    ["Spanish", "emergency-spanish"],
  ] as const)(
    "a caller who tells of an emergency in %s hears the line with 911 and nothing after it; the clinic gets a task",
    async (_language, scenario) => {
      const before = [await tasksOf(0), await tasksOf(1)];
      const { ending, moments } = await phone(scenario, { platform });
      expect(ending.success).toBe(true);
      const tools = moments.flatMap((moment) => (moment.kind === "tool" ? [moment] : []));
      expect(tools).toEqual([expect.objectContaining({ ok: true, speech: expect.stringMatching(/^(?:If|Si) [^?]+\b911\b[^?]+\.$/) })]);
      expect(await tasksOf(0)).toEqual([{ kind: "emergency", callId: expect.any(String) }, ...before[0]!]);
      expect(await tasksOf(1)).toEqual(before[1]);
    },
  );

  it("a patient books the second offer, and is asked again after a choice that was not offered", async () => {
    for (const scenario of ["second-offer", "wrong-choice"] as const) {
      const { ending, changes } = await phone(scenario, { platform });
      expect([scenario, ending, changes]).toEqual([
        scenario,
        expect.objectContaining({ success: true }),
        [expect.objectContaining({ what: "booked" })],
      ]);
    }
  });

  it("a patient books in Spanish, and no slot is named by its id", async () => {
    const { ending, moments } = await phone("spanish", { platform });
    expect(ending.success).toBe(true);
    const booked = moments.flatMap((moment) => (moment.kind === "tool" && moment.ok ? [moment.args] : [])).at(-1);
    expect(booked).toMatchObject({ action: "book", date: expect.stringMatching(/^el /), time: expect.stringMatching(/^a las? /) });
    expect(booked).not.toHaveProperty("slotId");
  });

  it("a patient who asks for a woman is offered only women, and books one", async () => {
    const { sandbox } = voices.town.clinics[0];
    const ehr = await openEhr(sandbox);
    const women = await ehr.doctorsOf("female");
    await ehr.close();
    const { ending, moments } = await phone("female-doctor", { platform });
    expect(ending.success).toBe(true);
    const offered = moments.flatMap((moment) => (moment.kind === "tool" ? (z.safeParse(Offered, moment.found).data?.slots ?? []) : []));
    expect(offered.length).toBeGreaterThan(0);
    for (const { practitioner } of offered) expect(women).toContain(practitioner.split(" ").at(-1));
  });

  it("a caller who reaches no one is promised a callback only as one of the clinic's leads", async () => {
    const { ctx } = voices.town.clinics[1];
    const before = (await listLeads(ctx, {})).rows.length;
    const { ending, moments } = await phone("after-hours", { which: 1, platform });
    expect(ending.success).toBe(true);
    const [first, second] = moments.flatMap((moment) => (moment.kind === "tool" ? [moment] : []));
    expect(first).toMatchObject({ found: { destinations: [], noted: false }, speech: expect.stringMatching(/\?$/) });
    expect(second).toMatchObject({ ok: true, found: { noted: true } });
    expect((await listLeads(ctx, {})).rows).toHaveLength(before + 1);
  });
});
