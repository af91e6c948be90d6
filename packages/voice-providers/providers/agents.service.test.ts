import { VapiClient } from "@vapi-ai/server-sdk";
import { VoiceProviderType } from "@vitaline/contract";
import { allowLoopback, outboundFetch, type OutboundFetch } from "@vitaline/outbound";
import { faultyKeys, prompt, startSandboxVoice, vendorMessage, type SandboxVoice } from "@vitaline/sandbox-voice";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { agentLists } from "./agents.ts";
import { oneAgent, wholeList } from "../transport/agent-pages.ts";
import type { Connection } from "../transport/request.ts";

const types = VoiceProviderType.options;
const pagedTypes = types.filter((type) => type !== "openai");
const usualKey = "key-1234567890";

let platforms: SandboxVoice;
beforeAll(async () => {
  platforms = await startSandboxVoice();
  process.env["EGRESS_LOOPBACK_ORIGINS"] = platforms.origin;
  allowLoopback("arn:aws:lambda:us-east-1:000000000000:function:vitaline-agents");
});
beforeEach(() => {
  platforms.agents = 3;
  platforms.asked.length = 0;
});
afterAll(async () => {
  delete process.env["EGRESS_LOOPBACK_ORIGINS"];
  allowLoopback("");
  await platforms.close();
});

const listAgents = (type: VoiceProviderType, connection: Connection, fetch: OutboundFetch, extent = wholeList) =>
  agentLists[type](connection, fetch, extent);
const connectionOf = (type: VoiceProviderType, apiKey: string, leftMs = 10_000) => ({
  apiKey,
  baseUrl: platforms.baseUrl(type),
  model: undefined as string | undefined,
  now: () => new Date(),
  remainingMs: () => leftMs,
});
const list = (type: VoiceProviderType, apiKey: string = usualKey, leftMs?: number) =>
  listAgents(type, connectionOf(type, apiKey, leftMs), outboundFetch);
const refusal = (type: VoiceProviderType, fault: keyof typeof faultyKeys, leftMs?: number) =>
  list(type, faultyKeys[fault], leftMs).then(
    () => ({ code: "answered", message: "" }),
    (error: { code: string; message: string; retryAfterSeconds?: number }) => error,
  );

describe("the agents of a voice platform", () => {
  it.each(pagedTypes)("are those that %s lists, by id, name and state alone", async (type) => {
    const { agents, complete } = await list(type);
    expect(complete).toBe(true);
    expect(agents).toEqual(
      [2, 1, 0].map((index) => ({
        id: `agent-${index}`,
        name: `Agent ${index}`,
        description: null,
        isActive: !(type === "elevenlabs" && index === 0),
      })),
    );
    expect(JSON.stringify(agents)).not.toContain(prompt);
    expect(new Set(platforms.asked.map(({ key }) => key))).toEqual(new Set([usualKey]));
  });

  it.each(pagedTypes)("are read from %s to the last page, each once", async (type) => {
    for (const count of [0, 99, 100, 101, 250]) {
      platforms.agents = count;
      const { agents, complete } = await list(type);
      expect([count, agents.length, new Set(agents.map(({ id }) => id)).size, complete]).toEqual([count, count, count, true]);
    }
  });

  it.each(pagedTypes)(
    "end at a thousand of %s, and at a page that brings nothing new; the answer says that there are more",
    async (type) => {
      platforms.agents = 2500;
      const { agents, complete } = await list(type);
      expect(complete).toBe(false);
      expect(agents.length).toBeGreaterThan(900);
      expect(agents.length).toBeLessThanOrEqual(1000);
      expect(platforms.asked).toHaveLength(10);

      platforms.asked.length = 0;
      expect(await list(type, faultyKeys.repeating)).toMatchObject({ agents: { length: 100 }, complete: false });
      expect(platforms.asked).toHaveLength(2);
    },
  );

  it.each(types)("are probed with one small request to %s", async (type) => {
    platforms.agents = 250;
    const { agents } = await listAgents(type, connectionOf(type, usualKey), outboundFetch, oneAgent);
    expect(platforms.asked).toHaveLength(1);
    if (type !== "openai")
      expect([agents.length, platforms.asked[0]!.path]).toEqual([1, expect.stringMatching(/[?&](limit|page_size)=1$/)]);
    const refused = listAgents(type, connectionOf(type, faultyKeys.refused), outboundFetch, oneAgent);
    await expect(refused).rejects.toMatchObject({ code: "voice_platform_auth" });
  });

  it("are the ones Vapi's own client reads from the same server", async () => {
    platforms.agents = 40;
    const client = new VapiClient({ token: usualKey, baseUrl: platforms.baseUrl("vapi") });
    const theirs = await client.assistants.list({ limit: 100 });
    const { agents } = await list("vapi");
    expect(agents.map(({ id, name }) => ({ id, name }))).toEqual(theirs.map(({ id, name }) => ({ id, name })));
    const [own, sdk] = platforms.asked.toReversed();
    expect({ ...own, body: "" }).toEqual({ ...sdk, body: "" });
  });

  it("of OpenAI are the provider's model, inactive where the key has no such model; without one the realtime models", async () => {
    const of = async (model?: string) => (await listAgents("openai", { ...connectionOf("openai", usualKey), model }, outboundFetch)).agents;
    expect(await of("gpt-realtime-2")).toEqual([{ id: "gpt-realtime-2", name: "gpt-realtime-2", description: null, isActive: true }]);
    expect(await of("gpt-realtime-9")).toMatchObject([{ id: "gpt-realtime-9", isActive: false }]);
    expect((await of()).map(({ id }) => id)).toEqual(["gpt-realtime-2", "gpt-realtime-mini"]);
  });
});

describe("a voice platform that does not list its agents", () => {
  it.each(types)("%s: is told by a code of ours and one sentence, in no word of its own", async (type) => {
    const told = {
      refused: "voice_platform_auth",
      limited: "voice_platform_rate_limited",
      limitedUntil: "voice_platform_rate_limited",
      failing: "voice_platform_unavailable",
      html: "voice_platform_invalid",
      huge: "voice_platform_invalid",
      broken: "voice_platform_invalid",
      odd: "voice_platform_invalid",
      missing: "voice_platform_invalid",
      redirect: "voice_platform_invalid",
    } as const;
    for (const [fault, code] of Object.entries(told)) {
      const error = await refusal(type, fault as keyof typeof told);
      expect([fault, error.code]).toEqual([fault, code]);
      expect(error.message).toMatch(/^[A-Z][^.]+\.( [A-Z][^.]+\.)?$/);
      expect(error.message).not.toContain(vendorMessage);
    }
  });

  it.each(types)("%s: is waited for as long as there is time, and no longer", async (type) => {
    expect(await refusal(type, "slow", 50)).toMatchObject({ code: "voice_platform_unavailable" });
    expect(await refusal(type, "slow", 0)).toMatchObject({ code: "voice_platform_unavailable" });
  });

  it("gives a retry delay in seconds or as a date, which is limited", async () => {
    expect(await refusal("vapi", "limited")).toMatchObject({ retryAfterSeconds: 17 });
    const { retryAfterSeconds = 0 } = (await refusal("vapi", "limitedUntil")) as { retryAfterSeconds?: number };
    expect(retryAfterSeconds).toBeGreaterThan(100);
    expect(retryAfterSeconds).toBeLessThanOrEqual(120);
    const limitedWith =
      (asked?: string): OutboundFetch =>
      async (url) => ({ status: 429, headers: { "retry-after": asked }, url, text: () => "", json: () => undefined });
    for (const [asked, seconds] of [
      [undefined, 30],
      ["soon", 30],
      ["0", 1],
      ["-5", 1],
      ["999999", 3600],
      ["Thu, 01 Jan 1970 00:00:00 GMT", 1],
    ] as const)
      await expect(listAgents("vapi", connectionOf("vapi", usualKey), limitedWith(asked))).rejects.toMatchObject({
        retryAfterSeconds: seconds,
      });
  });

  it("is not called at all under an address that may not be called", async () => {
    const connection = { ...connectionOf("vapi", usualKey), baseUrl: "http://169.254.169.254" };
    await expect(listAgents("vapi", connection, outboundFetch)).rejects.toMatchObject({ code: "outbound_refused" });
  });
});

describe("an agent as its platform names it", () => {
  const answering =
    (body: unknown): OutboundFetch =>
    async (url) => ({ status: 200, headers: {}, url, text: () => "", json: () => body });
  const retell = async (items: object[]) => (await listAgents("retellai", connectionOf("retellai", usualKey), answering({ items }))).agents;

  it("has a name that a screen can show: one line, not too long, the id where there is none", async () => {
    const name = async (agent_name?: string | null) => (await retell([{ agent_id: "a", agent_name }]))[0]?.name;
    expect(await name("  Front\n\u202edesk  ")).toBe("Front desk");
    expect(await name("x".repeat(500))).toHaveLength(200);
    expect(await name(null)).toBe("a");
    expect(await name()).toBe("a");
    expect(await name(" \n ")).toBe("a");
  });

  it("is left out when its id could be given to no assignment", async () => {
    expect(
      await retell([{ agent_id: "" }, { agent_id: "a\nb" }, { agent_id: " a" }, { agent_id: "x".repeat(201) }, { agent_id: "good" }]),
    ).toHaveLength(1);
  });
});
