import type { CallEvent } from "@vitaline/calls";
import { Language } from "@vitaline/contract";
import { allowLoopback } from "@vitaline/outbound";
import { faultyKeys, startSandboxVoice, type SandboxVoice } from "@vitaline/sandbox-voice";
import type { ToolAnswer } from "@vitaline/tools";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { openAiCallControl } from "./call-control.ts";

const Named = z.object({ language: Language });
const usualKey = "key-1234567890";
const session = JSON.stringify({ type: "realtime", model: "gpt-realtime" });
const now = new Date("2026-03-02T10:00:00.000Z");
const desks = [
  { label: "Front desk", phone: "+16175550123" },
  { label: "Nurse", phone: "+16175550124" },
];
const routed = (more: object = {}): ToolAnswer => ({
  ok: true,
  speech: "One moment, I'm connecting you with the front desk.",
  output: { outcome: "transferred", destinations: desks, noted: false, ...more },
});
const afterwards = "I can't put you through at the moment. May I have your name and number, so that the office can call you back?";

let sandbox: SandboxVoice;
beforeAll(async () => {
  sandbox = await startSandboxVoice();
  process.env["EGRESS_LOOPBACK_ORIGINS"] = sandbox.origin;
  allowLoopback("arn:aws:lambda:us-east-1:000000000000:function:vitaline-mcp");
});
afterAll(async () => {
  delete process.env["EGRESS_LOOPBACK_ORIGINS"];
  allowLoopback("");
  await sandbox.close();
});

const call = ({
  key = usualKey,
  isAccepted = true,
  remainingMs = 10_000,
  language = "en" as Language,
  recording = async () => "recorded" as const,
} = {}) => {
  const id = sandbox.calls.ring();
  if (isAccepted) sandbox.calls.change(usualKey, id, "accept", session);
  const [audits, events, logged]: [object[], CallEvent[], string[]] = [[], [], []];
  const control = openAiCallControl(id, {
    connection: async () => ({ apiKey: key, baseUrl: sandbox.baseUrl("openai"), now: () => now, remainingMs: () => remainingMs }),
    record(event) {
      events.push(event);
      return recording();
    },
    language: async (args) => z.safeParse(Named, args).data?.language ?? language,
    audit: async (entry) => void audits.push(entry),
    log: (_level, name) => void logged.push(name),
    clock: () => now,
    pause: async () => {},
  });
  return { id, control, audits, events, logged };
};

describe("V03: a transfer at OpenAI", () => {
  it("refers the call to the first destination and records it as put through", async () => {
    const { id, control, audits, events } = call();
    expect(await control.transfer(routed(), {})).toEqual(routed());
    expect(sandbox.calls.find(id)).toMatchObject({ state: "referred", target: "tel:+16175550123" });
    expect(events).toEqual([{ platform: "openai", callId: id, forwarded: true, forwardedTo: "+16175550123" }]);
    expect(audits).toEqual([{ action: "call.transfer", success: true }]);
  });

  it.each([
    ["refused", "voice_platform_auth"],
    ["limited", "voice_platform_rate_limited"],
    ["failing", "voice_platform_unavailable"],
    ["slow", "voice_platform_unavailable"],
    ["missing", "gone"],
    ["redirect", "voice_platform_invalid"],
  ] as const)(
    "over an API that is %s is not claimed: the caller is asked for a number, and the failure is audited",
    async (fault, code) => {
      const { id, control, audits, events, logged } = call({ key: faultyKeys[fault], remainingMs: fault === "slow" ? 200 : 10_000 });
      const answer = await control.transfer(routed(), {});
      expect(answer).toMatchObject({ ok: true, speech: afterwards, output: { outcome: "callback", destinations: [] } });
      expect(audits).toEqual([{ action: "call.transfer", success: false, code }]);
      expect(events).toEqual([]);
      expect(logged).toEqual(code === "gone" ? [] : ["openai.call_control_failed"]);
      expect(sandbox.calls.find(id)?.state).toBe("accepted");
    },
  );

  it("of a call that OpenAI never accepted is refused for every number, and does not ask again for what is noted", async () => {
    const { id, control, audits } = call({ isAccepted: false });
    const before = sandbox.asked.length;
    expect((await control.transfer(routed({ noted: true }), {})).speech).toBe(
      "I can't put you through at the moment. The office has your name and how to reach you.",
    );
    expect(sandbox.asked.slice(before).map(({ path }) => path.split("/").at(-1))).toEqual(["refer", "refer"]);
    expect(audits).toEqual([{ action: "call.transfer", success: false, code: "refused" }]);
    expect(sandbox.calls.find(id)?.state).toBe("ringing");
  });

  it.each([
    ["no one on duty", routed({ destinations: [] })],
    ["a failed tool", { ok: false, speech: "I couldn't do that right now." }],
  ])("is not tried for %s", async (_what, answer) => {
    const { id, control, audits } = call();
    expect(await control.transfer(answer, {})).toBe(answer);
    expect([sandbox.calls.find(id)?.state, audits]).toEqual(["accepted", []]);
  });

  it("is answered as made though it cannot be recorded", async () => {
    const { id, control, logged } = call({ recording: () => Promise.reject(new Error("no storage")) });
    expect(await control.transfer(routed(), {})).toEqual(routed());
    expect([sandbox.calls.find(id)?.state, logged]).toEqual(["referred", ["openai.call_control_unrecorded"]]);
  });
});

it("V03: what is said of the transfer and the end is in the language of the call", async () => {
  const failing = call({ key: faultyKeys.failing, remainingMs: 200 });
  expect((await failing.control.transfer(routed(), { language: "es" })).speech).toMatch(
    /^En este momento no puedo comunicarle\. ¿Me da su nombre/,
  );
  expect((await failing.control.transfer(routed({ noted: true }), { language: "es" })).speech).toMatch(
    /ya tiene su nombre y cómo contactarle\.$/,
  );
  const [ended, open] = [call({ language: "es" }), call({ language: "es", key: faultyKeys.failing, remainingMs: 200 })];
  expect((await ended.control.hangUp()).speech).toBe("Hasta luego.");
  expect((await open.control.hangUp()).speech).toBe("Gracias por llamar. Ya puede colgar.");
});

describe("V03: the end of a call at OpenAI", () => {
  it("is a hangup, recorded as the agent's", async () => {
    const { id, control, events, audits } = call();
    expect(await control.hangUp()).toEqual({ ok: true, speech: "Goodbye." });
    expect(sandbox.calls.find(id)?.state).toBe("ended");
    expect(events).toEqual([
      { platform: "openai", callId: id, status: "completed", endedReason: "assistant-ended-call", endedAt: now.toISOString() },
    ]);
    expect(audits).toEqual([{ action: "call.hangUp", success: true }]);
  });

  it("of a call that is gone already is recorded for an unknown reason, never as completed", async () => {
    const { id, control, events, audits } = call();
    sandbox.calls.change(usualKey, id, "hangup", "");
    expect(await control.hangUp()).toEqual({ ok: true, speech: "Goodbye." });
    expect(events).toEqual([{ platform: "openai", callId: id, status: "unknown", endedReason: "call-gone", endedAt: now.toISOString() }]);
    expect(audits).toEqual([{ action: "call.hangUp", success: false, code: "gone" }]);
  });

  it.each(["refused", "failing", "slow"] as const)(
    "over an API that is %s leaves the call open and lets the caller hang up",
    async (fault) => {
      const { control, events, audits } = call({ key: faultyKeys[fault], remainingMs: 200 });
      expect(await control.hangUp()).toMatchObject({ ok: false, speech: "Thank you for calling. You can hang up now." });
      expect([events, audits]).toMatchObject([[], [{ action: "call.hangUp", success: false }]]);
    },
  );
});
