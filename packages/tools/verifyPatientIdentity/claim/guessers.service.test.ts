import { randomUUID } from "node:crypto";
import { assignFhirProvider } from "@vitaline/fhir-providers";
import { keys } from "@vitaline/store";
import { listTasks, readTask } from "@vitaline/tasks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runTool, type ToolAnswer } from "../../index.ts";
import { startTools, type Tools, type Which } from "../../test/tools.fixture.ts";

let t: Tools;
beforeAll(async () => {
  t = await startTools();
  // Two tenants of one EHR.
  await assignFhirProvider(t.platform.ctx, t.platform.clinics[1].tenantId, t.providers[0]!);
}, 60_000);
afterAll(() => t.close());

const verify = "verifyPatientIdentity";
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startedMs = Date.now();
const weekMs = 7 * dayMs;
const midnight = startedMs - (startedMs % dayMs) + dayMs;
const nextWeek = startedMs - (startedMs % weekMs) + weekMs;
const atHour = (hour: number) => ({ laterMs: midnight + hour * hourMs + 60_000 - Date.now() });
let count = 0;
const nextNumber = () => `+1212556${String(1000 + count++)}`;
const nextBirth = () => new Date(Date.UTC(1940, 0, 1) + count++ * dayMs).toISOString().slice(0, 10);
const asMcp = (which: Which, args: object, moment: { laterMs: number }): Promise<ToolAnswer> => {
  const callId = randomUUID();
  const call = {
    platform: "mcp",
    callId,
    callKey: keys.callKeyOf("mcp/own", callId),
    toolCallId: randomUUID(),
    name: verify,
    args,
  } as const;
  return runTool(t.context(which, moment), { ...call, callerNumber: undefined });
};

const platforms = ["vapi", "retell", "elevenlabs", "openai", "mcp"] as const;
const byOtherWays = (which: Which, args: object, moment: { laterMs: number }): Promise<ToolAnswer> => {
  const nth = count++;
  const ctx = t.context(which, moment);
  const platform = platforms[nth % platforms.length]!;
  const callId = randomUUID();
  const call = { platform, callId, callKey: keys.callKeyOf(platform, callId), toolCallId: randomUUID(), name: verify, args } as const;
  const actor = { kind: "api_key", id: `${nth % 2 === 0 ? "key" : "hook"}${nth}`, tenantId: t.platform.clinics[which].tenantId } as const;
  return runTool({ ...ctx, actor }, { ...call, callerNumber: nextNumber() });
};

const guessers: Record<string, (moment: { laterMs: number }) => Promise<ToolAnswer>> = {
  "who tries out birth dates, each from another number": (moment) =>
    t.phone(0, nextNumber()).use(verify, { ...t.claimOf(0), dateOfBirth: nextBirth() }, moment),
  "who withholds their number": (moment) => t.phone(0, "anonymous").use(verify, { ...t.claimOf(0), dateOfBirth: nextBirth() }, moment),
  "who tries out phone numbers": (moment) => t.phone(0, nextNumber()).use(verify, { ...t.claimOf(0), phoneNumber: nextNumber() }, moment),
  "who calls another clinic of the same record system": (moment) =>
    t.phone(1, nextNumber()).use(verify, { ...t.claimOf(0), dateOfBirth: nextBirth() }, moment),
  "whose client names no call": (moment) => asMcp(0, { ...t.claimOf(0), dateOfBirth: nextBirth() }, moment),
  "who changes platform, key and hook each time": (moment) => byOtherWays(0, { ...t.claimOf(0), dateOfBirth: nextBirth() }, moment),
  "who knows the phone number and birth date, and tries out names": (moment) =>
    t.phone(0, nextNumber()).use(verify, { ...t.claimOf(0), firstName: `Guess${String.fromCharCode(97 + (count++ % 26))}` }, moment),
};

async function inBatch(atOnce: boolean, many: number, guess: () => Promise<ToolAnswer>): Promise<ToolAnswer[]> {
  if (atOnce) return Promise.all(Array.from({ length: many }, guess));
  const answers: ToolAnswer[] = [];
  for (let nth = 0; nth < many; nth++) answers.push(await guess());
  return answers;
}

describe("S01 C07: of one patient in a day", () => {
  it("at most twenty guesses are compared, with any part varied, while callers about others pass", async () => {
    const compared: Record<string, number> = {};
    for (const hour of [0, 3, 6, 9, 12, 15, 18, 21]) {
      for (const [name, guess] of Object.entries(guessers))
        for (const { ok, code } of await inBatch(hour % 2 === 0, 6, () => guess(atHour(hour)))) {
          expect([ok, ["identity_not_verified", "identity_locked"].includes(code ?? "")], `${name}: ${code}`).toEqual([false, true]);
          if (code === "identity_not_verified") compared[name] = (compared[name] ?? 0) + 1;
        }
      for (const which of [0, 1] as const)
        expect(await t.phone(which, nextNumber()).use(verify, t.claimOf(2), atHour(hour))).toMatchObject({ ok: true });
    }
    const byName = Object.entries(compared).filter(([name]) => !name.includes("tries out names"));
    expect(byName.reduce((sum, [, tries]) => sum + tries, 0)).toBeLessThanOrEqual(20);
    for (const tries of Object.values(compared)) expect(tries).toBeLessThanOrEqual(20);
    const patient = t.phone(0, nextNumber());
    expect(await patient.use(verify, t.claimOf(0), atHour(23))).toMatchObject({
      code: "identity_locked",
      speech: expect.stringContaining("Let me connect you with someone at the office"),
    });
    expect(await patient.use("logRoutingEvent", { reason: "other", outcome: "transferred" }, atHour(23))).toMatchObject({ ok: true });
    const { rows } = await listTasks(t.context(0), { limit: 200 });
    expect(rows.some(({ kind }) => kind === "identity_attempts")).toBe(true);
    expect(await t.phone(0, nextNumber()).use(verify, t.claimOf(0), atHour(23))).toMatchObject({ ok: false, code: "identity_locked" });
    expect(await t.phone(0, nextNumber()).use(verify, t.claimOf(0), atHour(25))).toMatchObject({ ok: true });
  });

  it("fifty in a week, and the clinic that was called is told of a day's and of the week's end, once each", async () => {
    const onDay = (day: number, hour: number) => ({ laterMs: nextWeek + day * dayMs + hour * hourMs + 60_000 - Date.now() });
    let compared = 0;
    for (let day = 0; day < 6; day++)
      for (const hour of [0, 3, 6])
        for (let tries = 0; tries < 8; tries++) {
          const { code } = await t.phone(0, nextNumber()).use(verify, { ...t.claimOf(5), dateOfBirth: nextBirth() }, onDay(day, hour));
          if (code === "identity_not_verified") compared += 1;
        }
    expect(compared).toBe(50);
    expect(await t.phone(0, nextNumber()).use(verify, t.claimOf(5), onDay(6, 0))).toMatchObject({ code: "identity_locked" });
    expect(await t.phone(0, nextNumber()).use(verify, t.claimOf(5), onDay(7, 0))).toMatchObject({ ok: true });
    const { rows } = await listTasks(t.context(0), { limit: 200 });
    const told = await Promise.all(rows.map(({ id }) => readTask(t.context(0), id)));
    const { firstName, lastName } = t.claimOf(5);
    const ofHer = told.filter(({ about }) => about.name === `${firstName} ${lastName}`);
    expect(ofHer.map(({ kind }) => kind)).toEqual(["identity_attempts", "identity_attempts", "identity_attempts"]);
    expect(JSON.stringify(rows)).not.toContain(lastName);
  });

  it("ten in an hour", async () => {
    const codes: (string | undefined)[] = [];
    for (let tries = 0; tries < 14; tries++)
      codes.push((await t.phone(0, nextNumber()).use(verify, { ...t.claimOf(3), dateOfBirth: nextBirth() }, atHour(48))).code);
    expect(codes.filter((code) => code === "identity_not_verified")).toHaveLength(10);
    expect(await t.phone(0, nextNumber()).use(verify, t.claimOf(3), atHour(49))).toMatchObject({ ok: true });
  });

  it("guesses made at once are counted like guesses one after the other", async () => {
    const guess = () => t.phone(0, nextNumber()).use(verify, { ...t.claimOf(1), dateOfBirth: nextBirth() }, atHour(72));
    const answers = await Promise.all(Array.from({ length: 30 }, guess));
    expect(answers.filter(({ code }) => code === "identity_not_verified").length).toBeLessThanOrEqual(10);
  });
});
