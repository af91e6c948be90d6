import * as z from "zod/mini";
import { ForeignBody, webhookBytes } from "./hooks.ts";
import { routes } from "./route.ts";

const common = {
  method: "POST",
  auth: "key",
  noStore: true,
  maxBodyBytes: webhookBytes,
  body: ForeignBody,
  response: z.unknown(),
} as const;

/** What ElevenLabs sends with a header of ours instead of a signature. Source: elevenlabs-js 2.73.0. */
export const elevenLabs = routes({
  elevenLabsTool: {
    ...common,
    path: "/api/elevenlabs/tool/{toolName}",
    summary: "Run a tool for an ElevenLabs agent; the body is its arguments, the headers say which conversation it is",
    params: z.object({ toolName: z.string().check(z.maxLength(100)) }),
  },
  elevenLabsInitiation: {
    ...common,
    path: "/api/elevenlabs/conversation-initiation",
    summary: "Say with which variables an incoming ElevenLabs conversation begins",
  },
});
