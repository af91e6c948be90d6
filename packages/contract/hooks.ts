import * as z from "zod/mini";
import { Id } from "./fields.ts";
import { routes } from "./route.ts";

/** What voice platforms send at the end of a long call. */
export const webhookBytes = 3 * 1024 * 1024;

/** A foreign body: the platform's adapter reads what it knows. */
export const ForeignBody = z.record(z.string(), z.unknown());

/** What is signed with a voice provider's secret and carries no key. The address is the provider's own: its answer carries it. */
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
  vapiHook: { ...hook, path: "/api/vapi/hook/{voiceProviderId}", summary: "Take what Vapi signs: tool calls, call events, questions" },
  retellHook: {
    ...hook,
    path: "/api/retell/hook/{voiceProviderId}",
    summary: "Take what Retell AI signs: custom functions, call events, incoming calls",
  },
  elevenLabsHook: { ...hook, path: "/api/elevenlabs/hook/{voiceProviderId}", summary: "Take ElevenLabs' post-call webhooks" },
  openAiHook: { ...hook, path: "/api/openai/hook/{voiceProviderId}", summary: "Take OpenAI's realtime webhooks and answer incoming calls" },
});
