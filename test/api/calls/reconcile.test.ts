import type { CallDetail, ListedCall } from "@vitaline/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedPlatform, type TestPlatform } from "../../kit/platform.ts";

let it: TestPlatform;
beforeAll(async () => {
  it = await sharedPlatform({ voices: true, calls: true });
});
afterAll(() => it.close());

test("a conversation at ElevenLabs without a webhook is added to the tenant's calls once by the next run, with its transcript", async () => {
  const [tenant] = it.demo.tenants;
  const token = await it.tokenOf(tenant!.admin.email, tenant!.admin.password);
  const calls = async () => {
    const { json } = await it.api<ListedCall[]>("GET", "/api/tenant/calls", { token });
    return json.filter(({ platform }) => platform === "elevenlabs");
  };
  const before = (await calls()).length;
  const { agentId, sandboxKey } = tenant!.voiceProviders.find(({ providerType }) => providerType === "elevenlabs")!;
  const startSeconds = Math.floor(Date.now() / 1000) - 60;
  it.platform.voice.conversations.put(sandboxKey, {
    agent_id: agentId,
    conversation_id: "conv_without_webhook",
    status: "done",
    transcript: [{ role: "user", message: "Are you open on Friday?", time_in_call_secs: 2 }],
    metadata: { start_time_unix_secs: startSeconds, call_duration_secs: 30, termination_reason: "Client disconnected" },
    analysis: { call_successful: "success", transcript_summary: "Asked for opening hours." },
  });
  for (const _again of [1, 2]) {
    await it.platform.cloud.runScheduled("events-reconcile");
    await it.platform.cloud.drained();
  }
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
