import { execFileSync } from "node:child_process";
import { McpServerRequestModel } from "@elevenlabs/elevenlabs-js/serialization/resources/conversationalAi/resources/mcpServers/client/requests/McpServerRequestModel";
import { PatchConvAiSettingsRequest } from "@elevenlabs/elevenlabs-js/serialization/resources/conversationalAi/resources/settings/client/requests/PatchConvAiSettingsRequest";
import { BodyCreateWorkspaceWebhookV1WorkspaceWebhooksPost as CreateWebhook } from "@elevenlabs/elevenlabs-js/serialization/resources/webhooks/client/requests/BodyCreateWorkspaceWebhookV1WorkspaceWebhooksPost";
import { ToolRequestModel } from "@elevenlabs/elevenlabs-js/serialization/types/ToolRequestModel";
import type { Vapi } from "@vapi-ai/server-sdk";
import { CallReport, Snippet, type VoiceProviderType } from "@vitaline/contract";
import { tools, toolSchemas } from "@vitaline/tools";
import type { RealtimeSessionCreateRequest, SessionUpdateEvent } from "openai/resources/realtime/realtime";
import type { AgentUpdateParams } from "retell-sdk/resources/agent";
import type { LlmUpdateParams } from "retell-sdk/resources/llm";
import type { PhoneNumberUpdateParams } from "retell-sdk/resources/phone-number";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import * as eleven from "./elevenlabs.ts";
import { mcpServers } from "./mcp.ts";
import * as openAi from "./openai.ts";
import * as retell from "./retellai.ts";
import type { SnippetContext } from "./snippet.ts";
import { snippets } from "./tenant-snippets.ts";
import * as vapi from "./vapi.ts";

const types: VoiceProviderType[] = ["vapi", "retellai", "elevenlabs", "openai"];
const place: SnippetContext = {
  origin: "https://clinic.example",
  tenantId: "t1",
  apiKey: "vtl_live_key",
  tools: toolSchemas(),
  voiceProviders: types.map((providerType) => ({ id: `${providerType}-1`, providerType, providerName: `Our ${providerType}` })),
};
const names = Object.keys(tools);
const textOf = (id: string, of = place): string => snippets(of).find((snippet) => snippet.id === id)?.text ?? "";
const jsonOf = (id: string): unknown => JSON.parse(textOf(id));
const hookOf = (step: string, type: VoiceProviderType) => `https://clinic.example/api/${step}/hook/${type}-1`;

test("each snippet has the format of its platform's own SDK", () => {
  const written = {
    "vapi-mcp": vapi.vapiMcpTool(place) satisfies Vapi.CreateToolsRequest.Mcp,
    "vapi-tools": vapi.vapiFunctionTools(place) satisfies Vapi.CreateToolsRequest.Function[],
    "vapi-events": vapi.vapiEvents(place) satisfies Vapi.CreateAssistantDto,
    "vapi-credential": vapi.vapiCredential() satisfies Vapi.CreateWorkflowDtoCredentialsItem,
    "vapi-signed-events-vapi-1": vapi.vapiSignedEvents(hookOf("vapi", "vapi")) satisfies Vapi.CreateAssistantDto,
    "retellai-mcp": retell.retellMcp(place) satisfies LlmUpdateParams,
    "retellai-functions": retell.retellFunctions(place) satisfies LlmUpdateParams,
    "retellai-events-retellai-1": retell.retellEvents(hookOf("retell", "retellai")) satisfies AgentUpdateParams,
    "retellai-inbound-retellai-1": retell.retellInbound(hookOf("retell", "retellai")) satisfies PhoneNumberUpdateParams,
    "elevenlabs-mcp": eleven.elevenLabsMcp(place) satisfies McpServerRequestModel.Raw,
    "elevenlabs-tools": eleven.elevenLabsTools(place) satisfies ToolRequestModel.Raw[],
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
  read(McpServerRequestModel.parse(jsonOf("elevenlabs-mcp"), strict));
  read(PatchConvAiSettingsRequest.parse(jsonOf("elevenlabs-initiation"), strict));
  read(PatchConvAiSettingsRequest.parse(jsonOf("elevenlabs-post-call"), strict));
  read(CreateWebhook.parse(jsonOf("elevenlabs-webhook-elevenlabs-1"), strict));
});

test("every list of tools has all tools, with names and descriptions within each platform's limits", () => {
  const lists = [
    vapi.vapiFunctionTools(place).map((tool) => tool.function),
    retell.retellFunctions(place).general_tools,
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
    const { inputSchema } = toolSchemas()[at] ?? {};
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
  for (const { name, inputSchema } of toolSchemas()) {
    const { properties } = z.parse(
      Parameters,
      vapi.vapiFunctionTools(place).find((tool) => tool.function.name === name)?.function.parameters,
    );
    for (const [argument, told] of Object.entries(properties)) {
      const { fields = {} } = (tools[name]?.parse({ [argument]: valueOf(told) }) ?? {}) as { fields?: Record<string, string> };
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
