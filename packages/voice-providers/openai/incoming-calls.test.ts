import type { SessionAcceptParams } from "openai/resources/live/sessions";
import type { CallAcceptParams } from "openai/resources/realtime/calls";
import { expect, test } from "vitest";
import type { AnsweringAgent } from "../voice-platform.ts";
import { liveSessionFor, sessionFor } from "./sessions.ts";

const createdAt = "2026-03-02T10:00:00.000Z";
const answering = (provider: Partial<AnsweringAgent["provider"]> = {}, office?: AnsweringAgent["office"]): AnsweringAgent => ({
  agent: {
    id: "a1",
    voiceProviderId: "v1",
    providerType: "openai",
    externalAgentId: "gpt-realtime",
    agentName: "Front desk",
    isActive: true,
    createdAt,
  },
  provider: { id: "v1", providerType: "openai", providerName: "OpenAI", settings: "{}", isActive: true, createdAt, ...provider },
  tenant: {
    id: "t1",
    name: "River Clinic",
    organizationType: "clinic",
    contactEmail: "office@clinic.example",
    isActive: true,
    createdAt,
    epoch: 0,
    apiKeyId: "k1",
    timeZone: "UTC",
  },
  ...(office ? { office } : {}),
});
const endpoint = { origin: "https://voice.example", callToken: "vtl_call_x.y" };

test("a call is accepted with the agent's model, the tenant's name and our tools, which the call's token opens without asking", () => {
  const session: CallAcceptParams = sessionFor(answering(), endpoint);
  expect(session).toEqual({
    type: "realtime",
    model: "gpt-realtime",
    instructions: expect.stringContaining("River Clinic") as string,
    tools: [
      {
        type: "mcp",
        server_label: "vitaline",
        server_url: "https://voice.example/api/mcp/t1",
        authorization: "vtl_call_x.y",
        require_approval: "never",
      },
    ],
  });
});

test("the provider's model, voice and instructions override the defaults, and an office has its own URL", () => {
  const own = { model: "gpt-realtime-2.1", voice: "marin", settings: JSON.stringify({ instructions: "Speak Spanish." }) };
  const session: CallAcceptParams = sessionFor(answering(own, { id: "o1", name: "North", isActive: true, createdAt }), endpoint);
  expect(session).toMatchObject({
    model: "gpt-realtime-2.1",
    audio: { output: { voice: "marin" } },
    instructions: "Speak Spanish.",
    tools: [{ server_url: "https://voice.example/api/mcp/t1/o1" }],
  });
});

test("V03: by default the agent speaks first, says who is reached, and knows when a call is put through and ended", () => {
  const office = { id: "o1", name: "North", isActive: true, createdAt };
  const { instructions } = sessionFor(answering({}, office), endpoint);
  for (const told of ["Speak first: say that the caller has reached North", "logRoutingEvent", "endCall"])
    expect(instructions).toContain(told);
});

test("by default the agent begins in the office's usual language, else the tenant's", () => {
  const office = (language?: "en" | "es") => ({ id: "o1", name: "North", isActive: true, createdAt, ...(language ? { language } : {}) });
  const begins = (one: AnsweringAgent) => /Begin in (\w+),/.exec(sessionFor(one, endpoint).instructions)?.[1];
  const spanish = { ...answering({}, office()).tenant, language: "es" as const };
  expect([begins(answering()), begins(answering({}, office("es"))), begins({ ...answering({}, office()), tenant: spanish })]).toEqual([
    "English",
    "Spanish",
    "Spanish",
  ]);
  expect(begins({ ...answering({}, office("en")), tenant: spanish })).toBe("English");
});

test("V03: a Live session leaves our tools to its backend, which the call's token opens; a realtime model is not asked of the Live API", () => {
  const accept: SessionAcceptParams = liveSessionFor(answering({ model: "gpt-realtime-2", voice: "marin" }), endpoint);
  const tools = [
    {
      type: "mcp",
      server_label: "vitaline",
      server_url: "https://voice.example/api/mcp/t1",
      authorization: "vtl_call_x.y",
      require_approval: "never",
    },
  ];
  expect(accept.session).toMatchObject({
    type: "live",
    model: "gpt-live-1",
    instructions: expect.stringContaining("has reached River Clinic") as string,
    audio: { output: { voice: "marin" } },
    delegation: {
      type: "responses",
      responses: { model: "gpt-5.5", instructions: expect.stringContaining("verifyPatientIdentity") as string, tools },
    },
  });
  const own = { model: "gpt-live-2", settings: JSON.stringify({ instructions: "Speak Spanish.", backendModel: "gpt-5.4" }) };
  expect(liveSessionFor(answering(own), endpoint).session).toMatchObject({
    model: "gpt-live-2",
    instructions: "Speak Spanish.",
    delegation: { responses: { model: "gpt-5.4", tools } },
  });
});

test.each(["[]", '"x"', '{"instructions":7}', '{"instructions":"  "}'])("settings of %s leave the usual instructions", (settings) => {
  expect(sessionFor(answering({ settings }), endpoint).instructions).toContain("verifyPatientIdentity");
});
