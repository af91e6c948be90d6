import { execFileSync } from "node:child_process";
import { McpServerRequestModel } from "@elevenlabs/elevenlabs-js/serialization/resources/conversationalAi/resources/mcpServers/client/requests/McpServerRequestModel";
import { PatchConvAiSettingsRequest } from "@elevenlabs/elevenlabs-js/serialization/resources/conversationalAi/resources/settings/client/requests/PatchConvAiSettingsRequest";
import { BodyCreateWorkspaceWebhookV1WorkspaceWebhooksPost as CreateWebhook } from "@elevenlabs/elevenlabs-js/serialization/resources/webhooks/client/requests/BodyCreateWorkspaceWebhookV1WorkspaceWebhooksPost";
import { ToolRequestModel } from "@elevenlabs/elevenlabs-js/serialization/types/ToolRequestModel";
import { ConversationalConfig } from "@elevenlabs/elevenlabs-js/serialization/types/ConversationalConfig";
import type { Vapi } from "@vapi-ai/server-sdk";
import { CallReport, Snippet, type VoiceProviderType } from "@vitaline/contract";
import { loadTools, toolSchemas, type ToolAnswer } from "@vitaline/tools";
import type { RealtimeSessionCreateRequest, SessionUpdateEvent } from "openai/resources/realtime/realtime";
import type { AgentUpdateParams } from "retell-sdk/resources/agent";
import type { LlmUpdateParams } from "retell-sdk/resources/llm";
import type { PhoneNumberUpdateParams } from "retell-sdk/resources/phone-number";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { summaryForStaff } from "../being-put-through.ts";
import { elevenLabs } from "../elevenlabs/adapter.ts";
import { retellAi } from "../retellai/adapter.ts";
import * as eleven from "./elevenlabs.ts";
import { mcpServers } from "./mcp.ts";
import * as openAi from "./openai.ts";
import * as retell from "./retellai.ts";
import type { SnippetContext } from "./snippet.ts";
import { snippets } from "./tenant-snippets.ts";
import * as vapi from "./vapi.ts";

const schemas = await toolSchemas();
const tools = await loadTools();

const types: VoiceProviderType[] = ["vapi", "retellai", "elevenlabs", "openai"];
const place: SnippetContext = {
  origin: "https://clinic.example",
  tenantId: "t1",
  apiKey: "vtl_live_key",
  tools: schemas,
  voiceProviders: types.map((providerType) => ({ id: `${providerType}-1`, providerType, providerName: `Our ${providerType}` })),
};
const names = Object.keys(tools);
const textOf = (id: string, of = place): string => snippets(of).find((snippet) => snippet.id === id)?.text ?? "";
const jsonOf = (id: string): unknown => JSON.parse(textOf(id));
const hookOf = (step: string, type: VoiceProviderType) => `https://clinic.example/api/${step}/hook/${type}-1`;

test("each snippet has the format of its platform's own SDK", () => {
  const written = {
    "vapi-mcp": vapi.vapiMcpTool(place) satisfies Vapi.CreateToolsRequest.Mcp,
    "vapi-tools": [
      ...(vapi.vapiFunctionTools(place) satisfies Vapi.CreateToolsRequest.Function[]),
      ...(vapi.vapiPhoneTools() satisfies Vapi.OpenAiModelToolsItem[]),
    ],
    "vapi-phone": vapi.vapiPhoneTools() satisfies Vapi.CreateToolsRequest[],
    "vapi-events": vapi.vapiEvents(place) satisfies Vapi.CreateAssistantDto,
    "vapi-credential": vapi.vapiCredential() satisfies Vapi.CreateWorkflowDtoCredentialsItem,
    "vapi-signed-events-vapi-1": vapi.vapiSignedEvents(hookOf("vapi", "vapi")) satisfies Vapi.CreateAssistantDto,
    "retellai-mcp": retell.retellMcp(place) satisfies LlmUpdateParams,
    "retellai-functions": retell.retellFunctions(place) satisfies LlmUpdateParams,
    "retellai-events-retellai-1": retell.retellEvents(hookOf("retell", "retellai")) satisfies AgentUpdateParams,
    "retellai-inbound-retellai-1": retell.retellInbound(hookOf("retell", "retellai")) satisfies PhoneNumberUpdateParams,
    "elevenlabs-mcp": eleven.elevenLabsMcp(place) satisfies McpServerRequestModel.Raw,
    "elevenlabs-tools": eleven.elevenLabsTools(place) satisfies ToolRequestModel.Raw[],
    "elevenlabs-phone": eleven.elevenLabsPhoneTools() satisfies { conversation_config: ConversationalConfig.Raw },
    "elevenlabs-initiation": eleven.elevenLabsInitiation(place) satisfies PatchConvAiSettingsRequest.Raw,
    "elevenlabs-webhook-elevenlabs-1": eleven.elevenLabsWebhook(
      "Our elevenlabs",
      hookOf("elevenlabs", "elevenlabs"),
    ) satisfies CreateWebhook.Raw,
    "elevenlabs-post-call": eleven.elevenLabsPostCall() satisfies PatchConvAiSettingsRequest.Raw,
    "openai-session": openAi.openAiSession(place) satisfies SessionUpdateEvent & { session: RealtimeSessionCreateRequest },
    "openai-webhook-openai-1": openAi.openAiWebhook(hookOf("openai", "openai")),
    "mcp-client": mcpServers(place),
  };
  const inJson = snippets(place).filter(({ language }) => language === "json");
  expect(inJson.map(({ id }) => id).sort()).toEqual(Object.keys(written).sort());
  for (const [id, value] of Object.entries(written)) expect(jsonOf(id)).toEqual(value);
});

test("ElevenLabs' own reader takes each of its snippets, and knows every field in it", () => {
  const strict = { unrecognizedObjectKeys: "fail" } as const;
  const read = (parsed: { ok: boolean }) => expect(parsed).toMatchObject({ ok: true });
  for (const tool of jsonOf("elevenlabs-tools") as unknown[]) read(ToolRequestModel.parse(tool, strict));
  read(ConversationalConfig.parse((jsonOf("elevenlabs-phone") as { conversation_config: unknown }).conversation_config, strict));
  read(McpServerRequestModel.parse(jsonOf("elevenlabs-mcp"), strict));
  read(PatchConvAiSettingsRequest.parse(jsonOf("elevenlabs-initiation"), strict));
  read(PatchConvAiSettingsRequest.parse(jsonOf("elevenlabs-post-call"), strict));
  read(CreateWebhook.parse(jsonOf("elevenlabs-webhook-elevenlabs-1"), strict));
});

test("every list of tools has all tools, with names and descriptions within each platform's limits", () => {
  const lists = [
    vapi.vapiFunctionTools(place).map((tool) => tool.function),
    retell.retellFunctions(place).general_tools.flatMap((tool) => (tool.type === "custom" ? [tool] : [])),
    eleven.elevenLabsTools(place).map(({ tool_config }) => tool_config),
  ];
  for (const list of lists) {
    expect(list.map(({ name }) => name)).toEqual(names);
    for (const { name, description } of list) {
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(description.length).toBeLessThanOrEqual(1024);
    }
  }
  expect(openAi.openAiSession(place).session.tools[0]?.allowed_tools).toEqual(names);
});

const at = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((found, step) => (found as Record<string, unknown> | undefined)?.[step], value);
const routed: ToolAnswer = {
  ok: true,
  speech: "One moment, I'm connecting you with the front desk.",
  output: { outcome: "transferred", destinations: [{ label: "Front desk", phone: "+16175550123" }] },
};

describe("V04: the platform's own tools put a call through and end it", () => {
  const vapiTools = (id: string) => jsonOf(id) as { type: string; destinations?: unknown[]; function: { description: string } }[];
  const retellTools = (id: string) => (jsonOf(id) as { general_tools: Record<string, unknown>[] }).general_tools;
  const alone = { calls: [], refused: [], single: true };

  test("Vapi's transfer tool has no destinations, so that Vapi asks our server, which the assistant's messages allow", () => {
    for (const id of ["vapi-tools", "vapi-phone"]) {
      expect(vapiTools(id).find(({ type }) => type === "transferCall")?.destinations).toEqual([]);
      expect(vapiTools(id).filter(({ type }) => type === "endCall")).toHaveLength(1);
    }
    expect(vapi.vapiEvents(place).serverMessages).toContain("transfer-destination-request");
  });

  test("Retell dials the number that our routing tool answered with, or the one that the model read in it over MCP", () => {
    const functions = retellTools("retellai-functions");
    const dialed = functions.find(({ type }) => type === "transfer_call")?.["transfer_destination"];
    const routing = functions.find(({ name }) => name === "logRoutingEvent")?.["response_variables"] as Record<string, string>;
    const [[variable, path] = ["", ""]] = Object.entries(routing);
    expect(dialed).toEqual({ type: "predefined", number: `{{${variable}}}` });
    expect(at(retellAi.encodeResults(alone, [routed]), path)).toBe("+16175550123");
    expect(functions.filter(({ response_variables: set }) => set)).toHaveLength(1);
    expect(retellTools("retellai-mcp").find(({ type }) => type === "transfer_call")?.["transfer_destination"]).toMatchObject({
      type: "inferred",
      prompt: expect.stringContaining("logRoutingEvent") as string,
    });
    for (const id of ["retellai-functions", "retellai-mcp"])
      expect(retellTools(id).filter(({ type }) => type === "end_call")).toHaveLength(1);
  });

  test("ElevenLabs dials the number that our routing tool answered with, which every conversation has from its start", () => {
    const { end_call: end, transfer_to_number: transfer } = eleven.elevenLabsPhoneTools().conversation_config.agent.prompt.built_in_tools;
    expect(end.params.system_tool_type).toBe("end_call");
    const [{ transfer_destination: dialed } = { transfer_destination: { phone_number: "" } }] = transfer.params.transfers;
    const tools = jsonOf("elevenlabs-tools") as { tool_config: { name: string; assignments?: object[] } }[];
    const assigning = tools.flatMap(({ tool_config: { name, assignments = [] } }) => assignments.map((one) => ({ name, ...one })));
    expect(assigning).toMatchObject([{ name: "logRoutingEvent", dynamic_variable: dialed.phone_number }]);
    const { value_path: path } = assigning[0] as unknown as { value_path: string };
    expect(at(elevenLabs.encodeResults(alone, [routed]), path)).toBe("+16175550123");
    expect(eleven.elevenLabsMcp(place).config.tool_config_overrides).toMatchObject([
      { tool_name: "logRoutingEvent", assignments: [{ dynamic_variable: dialed.phone_number, value_path: path }] },
    ]);
    const started = elevenLabs.answerIncoming({ platform: "elevenlabs" }, undefined);
    expect(started.dynamic_variables).toHaveProperty(dialed.phone_number);
  });

  test("each snippet with tools gives the line for the prompt: our routing tool first, no transfer without a destination", () => {
    const about = new Map(snippets(place).map((snippet) => [snippet.id, snippet.about]));
    for (const id of ["vapi-tools", "vapi-phone", "retellai-functions", "retellai-mcp", "elevenlabs-phone"])
      expect(about.get(id)).toContain("always call logRoutingEvent");
  });

  test("where the platform has a place for it, staff hear one sentence about the caller", () => {
    const transfer = (id: string) => retellTools(id).find(({ type }) => type === "transfer_call");
    for (const id of ["retellai-functions", "retellai-mcp"])
      expect(transfer(id)?.["transfer_option"]).toMatchObject({ private_handoff_option: { prompt: summaryForStaff } });
    expect(textOf("elevenlabs-phone")).toContain(`agent_message: ${summaryForStaff}`);
  });
});

/** Strict at every depth: an unsupported keyword fails. */
const Plain = z.strictObject({
  type: z.enum(["string", "number", "boolean"]),
  description: z.string().check(z.minLength(1)),
  enum: z.optional(z.array(z.string()).check(z.minLength(1))),
});
const Parameters = z.strictObject({
  type: z.literal("object"),
  properties: z.record(
    z.string(),
    z.union([Plain, z.strictObject({ type: z.literal("array"), description: z.string().check(z.minLength(1)), items: Plain })]),
  ),
  required: z.array(z.string()),
});

test("arguments use only keywords that all platforms accept, keep their enums, and require the tool's required arguments", () => {
  for (const [at, { function: told }] of vapi.vapiFunctionTools(place).entries()) {
    const { properties, required } = z.parse(Parameters, told.parameters);
    const { inputSchema } = schemas[at] ?? {};
    expect(Object.keys(properties)).toEqual(Object.keys(inputSchema?.properties ?? {}));
    expect(required).toEqual(inputSchema?.required ?? []);
    for (const name of required) expect(properties).toHaveProperty(name);
    for (const [name, property] of Object.entries(inputSchema?.properties ?? {}))
      expect([name, (properties[name] as { enum?: string[] }).enum]).toEqual([name, property.enum]);
  }
});

test("arguments that fit a snippet's schema never have a wrong type for the tool", () => {
  const valueOf = (told: z.infer<typeof Plain> | { type: "array"; items: z.infer<typeof Plain> }): unknown =>
    told.type === "array"
      ? [valueOf(told.items)]
      : told.type === "boolean"
        ? true
        : "enum" in told && told.enum
          ? told.enum[0]
          : "Larkmere";
  for (const { name, inputSchema } of schemas) {
    const { properties } = z.parse(
      Parameters,
      vapi.vapiFunctionTools(place).find((tool) => tool.function.name === name)?.function.parameters,
    );
    for (const [argument, told] of Object.entries(properties)) {
      const fields = tools[name]?.parse({ [argument]: valueOf(told) }).invalidFields ?? {};
      expect([name, argument, fields[argument] ?? ""]).not.toEqual([
        name,
        argument,
        expect.stringMatching(/must be (a|an) (string|number|array)/i),
      ]);
    }
    expect(Object.keys(inputSchema.properties ?? {})).toEqual(Object.keys(properties));
  }
});

test("an office's snippets differ from the tenant's only in their URLs", () => {
  const ofOffice = { ...place, officeId: "o1" };
  for (const { id, text } of snippets(ofOffice).filter(({ id }) => id !== "openai-report"))
    expect([id, text.replaceAll("/api/mcp/t1/o1", "/api/mcp/t1")]).toEqual([id, textOf(id)]);
  expect(textOf("mcp-client", ofOffice)).toContain('"https://clinic.example/api/mcp/t1/o1"');
});

test("a tenant without voice providers gets all that works with its key, and no address of a provider", () => {
  const alone = snippets({ ...place, voiceProviders: [] });
  expect(alone.filter(({ text }) => text.includes("/hook/"))).toEqual([]);
  expect(new Set(alone.map(({ platform }) => platform))).toEqual(new Set([...types, "mcp"]));
});

test("every snippet has an id of its own and says where it is pasted; the key and the address are those given and no others", () => {
  const all = z.parse(z.array(Snippet), snippets(place));
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  for (const { about, text } of all) {
    expect(about.length).toBeGreaterThan(20);
    expect(text.match(/vtl_live_\w+/g)?.every((key) => key === "vtl_live_key") ?? true).toBe(true);
  }
});

const argumentsOf = (command: string): string[] =>
  execFileSync("sh", ["-c", `curl() { printf '%s\\0' "$@"; }\n${command}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);

test("any address, headers and body of a command reach curl unchanged", () => {
  const odd = { ...place, apiKey: `k'"$(id) \\\`` };
  expect(argumentsOf(textOf("mcp-curl", odd))).toEqual([
    "--fail-with-body",
    "https://clinic.example/api/mcp/t1",
    "--header",
    `Authorization: Bearer ${odd.apiKey}`,
    "--header",
    "Content-Type: application/json",
    "--header",
    "Accept: application/json, text/event-stream",
    "--data",
    expect.stringContaining('"tools/call"'),
  ]);
  const report = argumentsOf(textOf("openai-report")).at(-1) ?? "";
  expect(z.safeParse(CallReport, JSON.parse(report)).success).toBe(true);
});
