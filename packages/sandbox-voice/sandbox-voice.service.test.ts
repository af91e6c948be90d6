import { ElevenLabsClient } from "@elevenlabs/elevenlabs-js";
import { VapiClient } from "@vapi-ai/server-sdk";
import OpenAI from "openai";
import Retell from "retell-sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultyKeys, startSandboxVoice, type SandboxVoice } from "./index.ts";

let sandbox: SandboxVoice;
beforeAll(async () => {
  sandbox = await startSandboxVoice();
});
afterAll(() => sandbox.close());

const vapi = (token = "k") => new VapiClient({ token, baseUrl: sandbox.baseUrl("vapi") });
const retell = (apiKey = "k") => new Retell({ apiKey, baseURL: sandbox.baseUrl("retellai"), maxRetries: 0 });
const elevenLabs = (apiKey = "k") => new ElevenLabsClient({ apiKey, baseUrl: sandbox.baseUrl("elevenlabs") });
const openAi = (apiKey = "k") => new OpenAI({ apiKey, baseURL: sandbox.baseUrl("openai"), maxRetries: 0 });
const once = { maxRetries: 0 };
const voiceOnly = { filter_criteria: { channel: { type: "string" as const, op: "eq" as const, value: "voice" as const } } };

describe("the lists of agents", () => {
  it("are readable by each platform's official client", async () => {
    const newest = ["agent-2", "agent-1", "agent-0"];
    expect((await vapi().assistants.list()).map(({ id }) => id)).toEqual(newest);
    expect((await retell().agent.list(voiceOnly)).items.map(({ agent_id }) => agent_id)).toEqual(newest);
    expect((await elevenLabs().conversationalAi.agents.list()).agents.map(({ agentId, archived }) => [agentId, archived])).toEqual([
      ["agent-2", false],
      ["agent-1", false],
      ["agent-0", true],
    ]);
    expect((await openAi().models.list()).data.map(({ id }) => id)).toEqual(["gpt-realtime-2", "gpt-4o", "gpt-realtime-mini"]);
  });

  it("are refused in each platform's format without a key, with a wrong key, and while rate limited", async () => {
    for (const [key, statusCode] of [
      [faultyKeys.refused, 401],
      [faultyKeys.limited, 429],
    ] as const) {
      await expect(vapi(key).assistants.list({}, once)).rejects.toMatchObject({ statusCode });
      await expect(retell(key).agent.list(voiceOnly)).rejects.toMatchObject({ status: statusCode });
      await expect(elevenLabs(key).conversationalAi.agents.list({}, once)).rejects.toMatchObject({ statusCode });
      await expect(openAi(key).models.list()).rejects.toMatchObject({ status: statusCode });
    }
    expect((await fetch(`${sandbox.baseUrl("elevenlabs")}/v1/convai/agents`)).status).toBe(401);
    expect((await fetch(`${sandbox.baseUrl("vapi")}/call`, { headers: { authorization: "Bearer k" } })).status).toBe(404);
  });
});

describe("an incoming call of OpenAI", () => {
  const placed = async (): Promise<string> => {
    const response = await fetch(`${sandbox.origin}/calls`, { method: "POST" });
    return ((await response.json()) as { call_id: string }).call_id;
  };
  const stateOf = async (id: string) => (await fetch(`${sandbox.origin}/calls/${id}`)).json();

  it("rings until it is accepted with a session, which can be seen, or rejected; once", async () => {
    const [taken, refused] = [await placed(), await placed()];
    const server = { type: "mcp" as const, server_label: "clinic", server_url: "http://localhost:1/api/mcp/t", authorization: "token" };
    expect(await stateOf(taken)).toEqual({ state: "ringing" });
    await openAi().realtime.calls.accept(taken, { type: "realtime", model: "gpt-realtime-2", tools: [server] });
    expect(await stateOf(taken)).toEqual({
      state: "accepted",
      session: { type: "realtime", model: "gpt-realtime-2", tools: [server] },
    });
    await openAi().realtime.calls.reject(refused, { status_code: 603 });
    expect(await stateOf(refused)).toEqual({ state: "rejected" });
    for (const id of [taken, refused])
      await expect(openAi().realtime.calls.accept(id, { type: "realtime" })).rejects.toMatchObject({ status: 400 });
    await openAi().realtime.calls.refer(taken, { target_uri: "tel:+14155550123" });
    expect(await stateOf(taken)).toMatchObject({ state: "referred", target: "tel:+14155550123" });
    await openAi().realtime.calls.hangup(taken);
    expect(await stateOf(taken)).toMatchObject({ state: "ended" });
  });

  it("V03: is unkind where OpenAI is: no command for a call that is over, no target that is no URI, and each id at its own API", async () => {
    const live = ((await (await fetch(`${sandbox.origin}/calls?api=live`, { method: "POST" })).json()) as { call_id: string }).call_id;
    const { calls } = openAi().realtime;
    const { sessions } = openAi().live;
    await expect(calls.accept(live, { type: "realtime" })).rejects.toMatchObject({ status: 404 });
    await expect(sessions.accept(live, { session: { type: "live", model: "gpt-realtime" } })).rejects.toMatchObject({ status: 400 });
    await expect(sessions.hangup(live)).rejects.toMatchObject({ status: 400 });
    await sessions.accept(live, { session: { type: "live", model: "gpt-live-1" } });
    expect(await stateOf(live)).toEqual({ state: "accepted", session: { type: "live", model: "gpt-live-1" } });
    await expect(sessions.refer(live, { target_uri: "(617) 555-0123" })).rejects.toMatchObject({ status: 400 });
    await sessions.refer(live, { target_uri: "tel:+16175550123" });
    await expect(sessions.refer(live, { target_uri: "tel:+16175550123" })).rejects.toMatchObject({ status: 404 });
    await sessions.hangup(live);
    await expect(sessions.hangup(live)).rejects.toMatchObject({ status: 404 });
  });

  it("is refused a session that the platform would not take, and one that is no call at all", async () => {
    const id = await placed();
    for (const session of [{ type: "realtime", voice: "marin" }, { type: "other" }, "text"])
      await expect(openAi().post(`/realtime/calls/${id}/accept`, { body: session })).rejects.toMatchObject({ status: 400 });
    await expect(openAi().realtime.calls.accept("rtc_0", { type: "realtime" })).rejects.toMatchObject({ status: 404 });
    expect((await fetch(`${sandbox.origin}/calls/rtc_0`)).status).toBe(404);
  });
});

describe("conversations of ElevenLabs", () => {
  const conversation = (at: number, agent_id = "agent-2") => ({
    conversation_id: `conv_${at}`,
    agent_id,
    status: "done",
    has_audio: false,
    has_user_audio: false,
    has_response_audio: false,
    has_auxiliary_audio: false,
    transcript: [{ role: "user", message: "Hi", time_in_call_secs: 0 }],
    metadata: { start_time_unix_secs: at, call_duration_secs: 3 },
    analysis: { call_successful: "success", transcript_summary: "They said hi." },
  });
  const leave = async (body: object, key = "k"): Promise<number> => {
    const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {};
    return (await fetch(`${sandbox.origin}/conversations`, { method: "POST", headers, body: JSON.stringify(body) })).status;
  };

  it("are listed newest first, by agent and time, in pages, and each is returned whole", async () => {
    for (const at of [100, 300, 200]) expect(await leave(conversation(at))).toBe(201);
    expect(await leave(conversation(400, "agent-1"))).toBe(201);
    expect(await leave({ conversation_id: "c" })).toBe(400);
    const { conversations: all } = elevenLabs().conversationalAi;
    const first = await all.list({ agentId: "agent-2", callStartAfterUnix: 150, pageSize: 1 });
    expect([first.hasMore, first.conversations]).toMatchObject([
      true,
      [{ conversationId: "conv_300", messageCount: 1, callDurationSecs: 3, callSuccessful: "success", status: "done" }],
    ]);
    const second = await all.list({ agentId: "agent-2", callStartAfterUnix: 150, pageSize: 1, cursor: first.nextCursor });
    expect(second).toMatchObject({ hasMore: false, conversations: [{ conversationId: "conv_200" }] });
    expect((await all.list()).conversations).toHaveLength(4);
    expect(await all.get("conv_300")).toMatchObject({ analysis: { transcriptSummary: "They said hi." }, transcript: [{ message: "Hi" }] });
    await expect(all.get("conv_0", {}, once)).rejects.toMatchObject({ statusCode: 404 });
  });
});

it("each account has its own conversations and calls", async () => {
  const headers = { authorization: "Bearer mine" };
  const held = {
    ...{ conversation_id: "conv_mine", agent_id: "agent-2", status: "done", transcript: [] },
    metadata: { start_time_unix_secs: 1, call_duration_secs: 3 },
  };
  const leave = (more: RequestInit) => fetch(`${sandbox.origin}/conversations`, { method: "POST", body: JSON.stringify(held), ...more });
  expect([(await leave({ headers })).status, (await leave({})).status]).toEqual([201, 401]);
  const listed = async (key: string) => (await elevenLabs(key).conversationalAi.conversations.list()).conversations;
  expect(await listed("mine")).toMatchObject([{ conversationId: "conv_mine" }]);
  expect(await listed("held")).toEqual([]);
  await expect(elevenLabs("held").conversationalAi.conversations.get("conv_mine", {}, once)).rejects.toMatchObject({ statusCode: 404 });

  const placed = (await (await fetch(`${sandbox.origin}/calls`, { method: "POST", headers })).json()) as { call_id: string };
  const accept = (key: string) => openAi(key).realtime.calls.accept(placed.call_id, { type: "realtime" });
  await expect(accept("held")).rejects.toMatchObject({ status: 404 });
  await accept("mine");
});

it("the sandbox's page tells its base URLs and the keys that bring faults; what it does not know is not found", async () => {
  const page = await (await fetch(sandbox.origin)).text();
  for (const said of [sandbox.baseUrl("vapi"), sandbox.baseUrl("openai"), faultyKeys.limited]) expect(page).toContain(said);
  expect((await fetch(`${sandbox.origin}/other`)).status).toBe(404);
});
