import * as z from "zod/mini";
import { Id } from "../http/fields.ts";
import { routes } from "../http/route.ts";

/** Almost all that API Gateway hands to a function (6 MiB with headers): a platform switches off a webhook whose bodies are refused. */
export const webhookBytes = 5.75 * 1024 * 1024;

/** A platform's body; the adapter parses the known fields. */
export const ForeignBody = z.record(z.string(), z.unknown());

/** Requests signed with a voice provider's secret, without an API key. Each provider has its own address. */
const hook = {
  method: "POST",
  auth: "signature",
  noStore: true,
  maxBodyBytes: webhookBytes,
  params: z.object({ voiceProviderId: Id }),
  body: ForeignBody,
  response: z.unknown(),
} as const;

export const hooks = routes({
  vapiHook: {
    ...hook,
    path: "/api/vapi/hook/{voiceProviderId}",
    summary: "Receive Vapi's signed requests: tool calls, call events, assistant and transfer requests",
  },
  retellHook: {
    ...hook,
    path: "/api/retell/hook/{voiceProviderId}",
    summary: "Receive Retell AI's signed requests: custom functions, call events, incoming calls",
  },
  elevenLabsHook: { ...hook, path: "/api/elevenlabs/hook/{voiceProviderId}", summary: "Receive ElevenLabs' post-call webhooks" },
  openAiHook: {
    ...hook,
    path: "/api/openai/hook/{voiceProviderId}",
    summary: "Receive OpenAI's realtime webhooks and answer incoming calls",
  },
});

const common = {
  method: "POST",
  auth: "key",
  noStore: true,
  maxBodyBytes: webhookBytes,
  body: ForeignBody,
  response: z.unknown(),
} as const;

/** ElevenLabs requests with our header instead of a signature. Source: elevenlabs-js 2.73.0. */
export const elevenLabs = routes({
  elevenLabsTool: {
    ...common,
    path: "/api/elevenlabs/tool/{toolName}",
    summary: "Run a tool for an ElevenLabs agent; the body is its arguments, a header names the conversation",
    params: z.object({ toolName: z.string().check(z.maxLength(100)) }),
  },
  elevenLabsInitiation: {
    ...common,
    path: "/api/elevenlabs/conversation-initiation",
    summary: "Get the variables for an incoming ElevenLabs conversation",
  },
});

const fn = { method: "POST", auth: "key", noStore: true, maxBodyBytes: webhookBytes, body: ForeignBody, response: z.unknown() } as const;

/**
 * Custom functions of Retell AI; the body contains the live call with its transcript. Source: retell-sdk 5.66.1, Retell's pages
 * on custom functions.
 */
export const retell = routes({
  retellFunction: { ...fn, path: "/api/retell/function", summary: "Run the tool that a Retell AI agent asks for" },
  retellNamedFunction: {
    ...fn,
    path: "/api/retell/function/{toolName}",
    summary: "The same for a function whose arguments are the whole body",
    params: z.object({ toolName: z.string().check(z.maxLength(100)) }),
  },
});
