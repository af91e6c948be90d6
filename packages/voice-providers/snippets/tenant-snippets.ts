import type { Snippet } from "@vitaline/contract";
import { settleAll, notFound } from "@vitaline/core";
import { keys, type TenantContext } from "@vitaline/store";
import { toolSchemas } from "@vitaline/tools";
import { listVoiceProviders } from "../providers/list.ts";
import { elevenLabsSnippets } from "./elevenlabs.ts";
import { mcpSnippets } from "./mcp.ts";
import { openAiSnippets } from "./openai.ts";
import { retellSnippets } from "./retellai.ts";
import type { SnippetContext } from "./snippet.ts";
import { vapiSnippets } from "./vapi.ts";

const maxProviders = 200;

/** AppError `not_found` for an unknown tenant or another tenant's office. */
export async function tenantSnippets(
  ctx: TenantContext,
  { officeId, apiKey }: { officeId?: string | undefined; apiKey: () => Promise<string> | string },
): Promise<Snippet[]> {
  const [{ rows: voiceProviders }, office] = await settleAll([
    listVoiceProviders(ctx, { limit: maxProviders }),
    officeId === undefined ? undefined : ctx.store.get(keys.office(officeId)),
  ]);
  if (officeId !== undefined && !office) throw notFound();
  const { origin, tenantId } = ctx;
  return snippets({ origin, tenantId, officeId, apiKey: await apiKey(), tools: await toolSchemas(), voiceProviders });
}

export const snippets = (place: SnippetContext): Snippet[] => [
  ...vapiSnippets(place),
  ...retellSnippets(place),
  ...elevenLabsSnippets(place),
  ...openAiSnippets(place),
  ...mcpSnippets(place),
];
