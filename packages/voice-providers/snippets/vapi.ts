import type { Snippet } from "@vitaline/contract";
import { whenToEnd } from "@vitaline/tools";
import { aboutPrompt, whenToTransfer } from "../being-put-through.ts";
import { bearerOf, hooksAt, jsonSnippet, mcpAddress, toolTimeoutSeconds, type SnippetContext } from "./snippet.ts";
import { parametersOf } from "./tool-parameters.ts";

/** Source of all formats in this file: Vapi server SDK 2.0.1. */
export const vapiMcpTool = (place: SnippetContext) => ({
  type: "mcp" as const,
  server: { url: mcpAddress(place), headers: { Authorization: bearerOf(place) }, timeoutSeconds: toolTimeoutSeconds },
  metadata: { protocol: "shttp" as const },
});

export const vapiFunctionTools = (place: SnippetContext) =>
  place.tools.map(({ name, description, inputSchema }) => ({
    type: "function" as const,
    function: { name, description, parameters: parametersOf(inputSchema) },
    server: {
      url: `${place.origin}/api/vapi/tool-call`,
      headers: { Authorization: bearerOf(place) },
      timeoutSeconds: toolTimeoutSeconds,
    },
  }));

/**
 * Without destinations Vapi asks the server, by `transfer-destination-request`. Source: Vapi server SDK 2.0.1 CreateTransferCallToolDto,
 * and Vapi's page on dynamic call transfers.
 */
export const vapiPhoneTools = () => [
  { type: "transferCall" as const, function: { name: "transferCall", description: whenToTransfer }, destinations: [] },
  { type: "endCall" as const, function: { name: "endCall", description: whenToEnd } },
];

/** Only messages that are answered or recorded, with the conversation once; Vapi's default sends every word of a call. */
const artifactPlan = { fullMessageHistoryEnabled: false, videoRecordingEnabled: false };
const serverMessages = [
  "tool-calls" as const,
  "status-update" as const,
  "end-of-call-report" as const,
  "transfer-destination-request" as const,
  "transfer-update" as const,
  "hang" as const,
  "language-change-detected" as const,
];

export const vapiEvents = ({ origin, apiKey }: SnippetContext) => ({
  server: { url: `${origin}/api/vapi/server`, headers: { "X-Vapi-Secret": apiKey }, timeoutSeconds: toolTimeoutSeconds },
  serverMessages,
  artifactPlan,
});

export const vapiCredential = () => ({
  provider: "custom-credential" as const,
  name: "Vitaline",
  authenticationPlan: {
    type: "hmac" as const,
    secretKey: "YOUR_WEBHOOK_SECRET",
    algorithm: "sha256" as const,
    signatureHeader: "x-signature",
    timestampHeader: "x-timestamp",
    includeTimestamp: true,
    payloadFormat: "{timestamp}.{body}",
    signatureEncoding: "hex" as const,
  },
});

export const vapiSignedEvents = (url: string) => ({
  server: { url, credentialId: "YOUR_CREDENTIAL_ID", timeoutSeconds: toolTimeoutSeconds },
  serverMessages,
  artifactPlan,
});

export function vapiSnippets(place: SnippetContext): Snippet[] {
  const hooks = hooksAt(place, "vapi");
  const of = { platform: "vapi" as const };
  return [
    jsonSnippet(
      {
        ...of,
        id: "vapi-mcp",
        title: "All tools over MCP",
        about: "The body of POST https://api.vapi.ai/tool; then add the id that comes back to the assistant's model.toolIds.",
      },
      vapiMcpTool(place),
    ),
    jsonSnippet(
      {
        ...of,
        id: "vapi-tools",
        title: "Each tool by itself",
        about: `The value of model.tools in the assistant, in place of MCP. ${aboutPrompt}`,
      },
      [...vapiFunctionTools(place), ...vapiPhoneTools()],
    ),
    jsonSnippet(
      {
        ...of,
        id: "vapi-phone",
        title: "Transfer and end of a call",
        about: [
          "Where the tools come over MCP: the value of model.tools in the assistant. Vapi asks here whom to dial, so the assistant",
          `needs “Call records and transfers” too. ${aboutPrompt}`,
        ].join(" "),
      },
      vapiPhoneTools(),
    ),
    jsonSnippet(
      {
        ...of,
        id: "vapi-events",
        title: "Call records and transfers",
        about: [
          "Merge it into the assistant. For numbers whose assistant is to be chosen here, put the same server into the phone number and leave",
          "its assistant empty; the prompt may then name {{tenant_name}}, {{office_name}}, {{office_phone}}, {{office_address}} and {{time_zone}}.",
        ].join(" "),
      },
      vapiEvents(place),
    ),
    ...(hooks.length === 0
      ? []
      : [
          jsonSnippet(
            {
              ...of,
              id: "vapi-credential",
              title: "A credential that signs",
              about: "The body of POST https://api.vapi.ai/credential, with the webhook secret that is set in the voice provider here.",
            },
            vapiCredential(),
          ),
        ]),
    ...hooks.map(({ id, providerName, url }) =>
      jsonSnippet(
        {
          ...of,
          id: `vapi-signed-events-${id}`,
          title: `Call records and transfers, signed (${providerName})`,
          about: "Merge it into the assistant, with the id of the credential that signs, in place of the events with a key.",
        },
        vapiSignedEvents(url),
      ),
    ),
  ];
}
