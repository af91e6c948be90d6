import type { Snippet } from "@vitaline/contract";
import { elevenLabsSnippets } from "./elevenlabs.ts";
import { mcpSnippets } from "./mcp.ts";
import { openAiSnippets } from "./openai.ts";
import type { SnippetPlace } from "./place.ts";
import { retellSnippets } from "./retellai.ts";
import { vapiSnippets } from "./vapi.ts";

/** Everything to paste, platform by platform; what is usually wanted first. */
export const snippets = (place: SnippetPlace): Snippet[] => [
  ...vapiSnippets(place),
  ...retellSnippets(place),
  ...elevenLabsSnippets(place),
  ...openAiSnippets(place),
  ...mcpSnippets(place),
];
