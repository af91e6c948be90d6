import type { Snippet } from "@vitaline/contract";
import { whenToEnd } from "@vitaline/tools";
import { aboutPrompt, destinationPath, destinationVariable, summaryForStaff, whenToTransfer } from "../being-put-through.ts";
import { bearerOf, hooksAt, jsonSnippet, mcpAddress, toolTimeoutSeconds, type SnippetContext } from "./snippet.ts";
import { parametersOf } from "./tool-parameters.ts";

const connectMs = 10_000;

/** Source of all formats in this file: retell-sdk 5.66.1. */
export const retellMcp = (place: SnippetContext) => ({
  general_tools: retellPhoneTools({
    type: "inferred",
    prompt: "The phone of the destination that logRoutingEvent's last answer names first, unchanged. Never any other number.",
  }),
  mcps: [{ name: "clinic", url: mcpAddress(place), headers: { Authorization: bearerOf(place) }, timeout_ms: connectMs }],
});

type Destination = { type: "inferred"; prompt: string } | { type: "predefined"; number: string };

/** Warm, so that staff hear a summary, and so that the agent has the caller back where no one answers. */
const retellPhoneTools = (destination: Destination) => [
  {
    type: "transfer_call" as const,
    name: "transfer_call",
    description: whenToTransfer,
    transfer_destination: destination,
    transfer_option: {
      type: "warm_transfer" as const,
      private_handoff_option: { type: "prompt" as const, prompt: summaryForStaff },
    },
    speak_during_execution: true,
  },
  { type: "end_call" as const, name: "end_call", description: whenToEnd },
];

/** The routing tool's answer sets the number that is dialed. */
const routingVariables = (name: string) =>
  name === "logRoutingEvent" ? { response_variables: { [destinationVariable]: destinationPath } } : {};

const retellCustomTools = (place: SnippetContext) =>
  place.tools.map(({ name, description, inputSchema }) => ({
    type: "custom" as const,
    name,
    description,
    url: `${place.origin}/api/retell/function`,
    method: "POST" as const,
    headers: { Authorization: bearerOf(place) },
    parameters: parametersOf(inputSchema),
    timeout_ms: toolTimeoutSeconds * 1000,
    speak_during_execution: true,
    speak_after_execution: true,
    ...routingVariables(name),
  }));

export const retellFunctions = (place: SnippetContext) => ({
  general_tools: [...retellCustomTools(place), ...retellPhoneTools({ type: "predefined", number: `{{${destinationVariable}}}` })],
});

export const retellEvents = (url: string) => ({
  webhook_url: url,
  webhook_events: [
    "call_started" as const,
    "call_ended" as const,
    "call_analyzed" as const,
    "transfer_started" as const,
    "transfer_bridged" as const,
    "transfer_cancelled" as const,
    "transfer_ended" as const,
  ],
});

export const retellInbound = (url: string) => ({ inbound_webhook_url: url });

export function retellSnippets(place: SnippetContext): Snippet[] {
  const of = { platform: "retellai" as const };
  return [
    jsonSnippet(
      {
        ...of,
        id: "retellai-functions",
        title: "All tools as custom functions",
        about: [
          "Merge it into the Retell LLM (PATCH https://api.retellai.com/update-retell-llm/{llm_id}).",
          "Functions say which call they belong to, so prefer them to MCP.",
          aboutPrompt,
        ].join(" "),
      },
      retellFunctions(place),
    ),
    jsonSnippet(
      {
        ...of,
        id: "retellai-mcp",
        title: "All tools over MCP",
        about: `Merge it into the Retell LLM, then choose the tools there. ${aboutPrompt}`,
      },
      retellMcp(place),
    ),
    ...hooksAt(place, "retellai").flatMap(({ id, providerName, url }) => [
      jsonSnippet(
        {
          ...of,
          id: `retellai-events-${id}`,
          title: `Call records (${providerName})`,
          about:
            "Merge it into the agent (PATCH https://api.retellai.com/update-agent/{agent_id}). Retell AI signs with the API key of this voice provider.",
        },
        retellEvents(url),
      ),
      jsonSnippet(
        {
          ...of,
          id: `retellai-inbound-${id}`,
          title: `Incoming calls (${providerName})`,
          about: [
            "Merge it into the phone number, where the agent that answers is to be chosen here.",
            "Its prompt may then name {{tenant_name}} and {{office_name}}.",
          ].join(" "),
        },
        retellInbound(url),
      ),
    ]),
  ];
}
