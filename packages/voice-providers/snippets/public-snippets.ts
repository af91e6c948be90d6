import { keyPlaceholder, type Snippet, VoiceProviderType } from "@vitaline/contract";
import { toolSchemas } from "@vitaline/tools";
import { snippets } from "./tenant-snippets.ts";

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
