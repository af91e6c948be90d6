import type { Snippet } from "@vitaline/contract";
import { whenToEnd } from "@vitaline/tools";
import { aboutPrompt, destinationPath, destinationVariable, summaryForStaff, whenToTransfer } from "../being-put-through.ts";
import { bearerOf, hooksAt, jsonSnippet, mcpAddress, toolTimeoutSeconds, type SnippetContext } from "./snippet.ts";
import { parametersOf } from "./tool-parameters.ts";

/** ElevenLabs sends only a tool's arguments, so headers name the conversation. Source: ElevenLabs' page on dynamic variables. */
const headersOf = (place: SnippetContext) => ({
  Authorization: bearerOf(place),
  "X-Conversation-Id": { variable_name: "system__conversation_id" },
  "X-Agent-Id": { variable_name: "system__agent_id" },
  "X-Caller-Id": { variable_name: "system__caller_id" },
  "X-Called-Number": { variable_name: "system__called_number" },
});

/** The routing tool's answer sets the number that is dialed. */
const routingAssignments = [{ source: "response" as const, dynamic_variable: destinationVariable, value_path: destinationPath }];

/** Source of all formats in this file: elevenlabs-js 2.73.0. */
export const elevenLabsMcp = (place: SnippetContext) => ({
  config: {
    name: "clinic",
    description: "The clinic's patients, appointments and messages",
    url: mcpAddress(place),
    transport: "STREAMABLE_HTTP" as const,
    approval_policy: "auto_approve_all" as const,
    request_headers: headersOf(place),
    response_timeout_secs: toolTimeoutSeconds,
    tool_config_overrides: [{ tool_name: "logRoutingEvent", assignments: routingAssignments }],
  },
});

export const elevenLabsTools = (place: SnippetContext) =>
  place.tools.map(({ name, description, inputSchema }) => ({
    tool_config: {
      type: "webhook" as const,
      name,
      description,
      response_timeout_secs: toolTimeoutSeconds,
      tool_error_handling_mode: "passthrough" as const,
      ...(name === "logRoutingEvent" ? { assignments: routingAssignments } : {}),
      api_schema: {
        url: `${place.origin}/api/elevenlabs/tool/${name}`,
        method: "POST" as const,
        content_type: "application/json" as const,
        request_headers: headersOf(place),
        request_body_schema: { ...parametersOf(inputSchema), description: `What is known for ${name}` },
      },
    },
  }));

const systemTool = <P>(name: string, description: string, params: P) => ({ type: "system" as const, name, description, params });

/** A conference, so that staff hear the agent's message before the caller is connected. */
export const elevenLabsPhoneTools = () => ({
  conversation_config: {
    agent: {
      dynamic_variables: { dynamic_variable_placeholders: { [destinationVariable]: "" } },
      prompt: {
        built_in_tools: {
          end_call: systemTool("end_call", whenToEnd, { system_tool_type: "end_call" as const }),
          transfer_to_number: systemTool(
            "transfer_to_number",
            `${whenToTransfer} client_message: tell the caller who it is. agent_message: ${summaryForStaff}`,
            {
              system_tool_type: "transfer_to_number" as const,
              enable_client_message: true,
              transfers: [
                {
                  transfer_destination: { type: "phone_dynamic_variable" as const, phone_number: destinationVariable },
                  transfer_type: "conference" as const,
                  condition: "logRoutingEvent's last answer names a destination.",
                },
              ],
            },
          ),
        },
      },
    },
  },
});

export const elevenLabsInitiation = (place: SnippetContext) => ({
  conversation_initiation_client_data_webhook: {
    url: `${place.origin}/api/elevenlabs/conversation-initiation`,
    request_headers: { Authorization: bearerOf(place) },
  },
});

export const elevenLabsWebhook = (providerName: string, url: string) => ({
  settings: { auth_type: "hmac" as const, name: `Vitaline (${providerName})`, webhook_url: url },
});

export const elevenLabsPostCall = () => ({
  webhooks: {
    post_call_webhook_id: "YOUR_WEBHOOK_ID",
    events: ["transcript" as const, "call_initiation_failure" as const],
    transcript_format: "json" as const,
  },
});

export function elevenLabsSnippets(place: SnippetContext): Snippet[] {
  const hooks = hooksAt(place, "elevenlabs");
  const of = { platform: "elevenlabs" as const };
  const settings = "PATCH https://api.elevenlabs.io/v1/convai/settings";
  return [
    jsonSnippet(
      {
        ...of,
        id: "elevenlabs-tools",
        title: "All tools as webhooks",
        about: [
          "Each entry is the body of one POST https://api.elevenlabs.io/v1/convai/tools; then add the ids that come back to the agent.",
          "Workspaces under HIPAA have no MCP and use these.",
        ].join(" "),
      },
      elevenLabsTools(place),
    ),
    jsonSnippet(
      {
        ...of,
        id: "elevenlabs-mcp",
        title: "All tools over MCP",
        about: "The body of POST https://api.elevenlabs.io/v1/convai/mcp-servers; then add the id that comes back to the agent.",
      },
      elevenLabsMcp(place),
    ),
    jsonSnippet(
      {
        ...of,
        id: "elevenlabs-phone",
        title: "Transfer and end of a call",
        about: `Merge it into the agent (PATCH https://api.elevenlabs.io/v1/convai/agents/{agent_id}). ${aboutPrompt}`,
      },
      elevenLabsPhoneTools(),
    ),
    jsonSnippet(
      {
        ...of,
        id: "elevenlabs-initiation",
        title: "Incoming calls",
        about: [
          `Merge it into the workspace's settings: ${settings}. In the agent, fetch the data of incoming calls by webhook (Security),`,
          "define the variables tenant_name, office_name, line_open and transfer_number, and have its prompt say goodbye where {{line_open}} is false.",
          'For the model and voice of the voice provider here, allow the overrides of LLM and voice under Security, then set "allowOverrides":',
          "true in the voice provider's settings: an agent that does not allow them ends the call.",
        ].join(" "),
      },
      elevenLabsInitiation(place),
    ),
    ...hooks.map(({ id, providerName, url }) =>
      jsonSnippet(
        {
          ...of,
          id: `elevenlabs-webhook-${id}`,
          title: `A webhook that signs (${providerName})`,
          about:
            "The body of POST https://api.elevenlabs.io/v1/workspace/webhooks. Type the secret that comes back into the voice provider here.",
        },
        elevenLabsWebhook(providerName, url),
      ),
    ),
    ...(hooks.length === 0
      ? []
      : [
          jsonSnippet(
            {
              ...of,
              id: "elevenlabs-post-call",
              title: "Call records",
              about: [
                `Merge it into the workspace's settings, with the webhook's id: ${settings}.`,
                "Leave audio out: recordings are not kept here, and those over 6 MB cannot be received.",
              ].join(" "),
            },
            elevenLabsPostCall(),
          ),
        ]),
  ];
}
