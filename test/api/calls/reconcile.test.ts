import type { CallDetail, ListedCall } from "@vitaline/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";

let it: TestPlatform;
beforeAll(async () => {
  it = await sharedPlatform({ voices: true, calls: true });
});
afterAll(() => it.close());

const conversationOf = (agentId: string, conversationId: string) => ({
  agent_id: agentId,
  conversation_id: conversationId,
  status: "done",
  transcript: [{ role: "user", message: "Are you open on Friday?", time_in_call_secs: 2 }],
  metadata: { start_time_unix_secs: Math.floor(Date.now() / 1000) - 60, call_duration_secs: 30, termination_reason: "Client disconnected" },
  analysis: { call_successful: "success", transcript_summary: "Asked for opening hours." },
});

async function reconcile(): Promise<void> {
  await it.platform.cloud.runScheduled("events-reconcile");
  await it.platform.cloud.drained();
}

async function elevenLabsOf({ admin, voiceProviders }: TestPlatform["demo"]["tenants"][number]) {
  const token = await it.tokenOf(admin.email, admin.password);
  const calls = async () => {
    const { json } = await it.api<ListedCall[]>("GET", "/api/tenant/calls", { token });
    return json.filter(({ platform }) => platform === "elevenlabs");
  };
  return { token, calls, ...voiceProviders.find(({ providerType }) => providerType === "elevenlabs")! };
}

test("a conversation at ElevenLabs without a webhook is added to the tenant's calls once by the next run, with its transcript", async () => {
  const { token, calls, agentId, sandboxKey } = await elevenLabsOf(it.demo.tenants[0]!);
  const before = (await calls()).length;
  it.platform.voice.conversations.put(sandboxKey, conversationOf(agentId, "conv_without_webhook"));
  for (const _again of [1, 2]) await reconcile();
  const found = await calls();
  expect(found).toHaveLength(before + 1);
  const { json } = await it.api<CallDetail>("GET", `/api/tenant/calls/${found[0]!.id}`, { token });
  expect(json).toMatchObject({
    platformCallId: "conv_without_webhook",
    status: "completed",
    duration: 30,
    summary: "Asked for opening hours.",
    transcript: { messages: [{ role: "caller", text: "Are you open on Friday?", atSeconds: 2 }] },
  });
  expect(it.logText()).not.toMatch(/Friday|opening hours|conv_without_webhook/);
});

test("when there are more accounts than one invocation reads, it starts others, which record their part", async () => {
  const { calls, agentId, sandboxKey, baseUrl } = await elevenLabsOf(it.demo.tenants[1]!);
  const rootToken = await it.tokenOf(it.demo.systemAdmin.email, it.demo.systemAdmin.password);
  const path = `/api/admin/tenants/${it.demo.tenants[1]!.id}/voice-providers`;
  const added: string[] = [];
  for (let at = 0; at < 24; at++) {
    const config = { apiKey: `account-${at}`, baseUrl, settings: {} };
    const body = { providerType: "elevenlabs", providerName: `Account ${at}`, config, webhookSecret: `wsec_${"0".repeat(32)}${at}` };
    const { status, json } = await it.api<{ id: string }>("POST", path, { token: rootToken, body });
    expect(status).toBe(201);
    added.push(json.id);
  }
  const before = (await calls()).length;
  it.platform.voice.conversations.put(sandboxKey, conversationOf(agentId, "conv_of_a_share"));
  await reconcile();
  expect(await calls()).toHaveLength(before + 1);
  expect(it.logText()).not.toContain("share.not_started");
  for (const id of added) expect((await it.api("PUT", `${path}/${id}`, { token: rootToken, body: { isActive: false } })).status).toBe(200);
});
