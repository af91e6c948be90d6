import { type Snippet, keyPlaceholder, VoiceProviderType } from "@vitaline/contract";
import { awaitAllThenThrow, notFound } from "@vitaline/core";
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
  const [{ rows: voiceProviders }, office] = await awaitAllThenThrow([
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

/** One that verifies and one that puts callers through, whose entries differ; all would fill the page. */
const shownTools = new Set(["verifyPatientIdentity", "logRoutingEvent"]);

/** What a tenant pastes, for the documentation: with placeholders, and with two of the tools. */
export const publicSnippets = async (): Promise<Snippet[]> =>
  snippets({
    origin: "https://YOUR_ADDRESS",
    tenantId: "YOUR_TENANT_ID",
    apiKey: keyPlaceholder,
    tools: (await toolSchemas()).filter(({ name }) => shownTools.has(name)),
    voiceProviders: VoiceProviderType.options.map((providerType) => ({
      id: "YOUR_PROVIDER_ID",
      providerType,
      providerName: "your voice provider",
    })),
  });
