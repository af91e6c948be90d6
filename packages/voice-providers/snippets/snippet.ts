import type { Snippet, VoiceProviderType } from "@vitaline/contract";
import type { ToolSchema } from "@vitaline/tools";
import { hookUrl } from "../providers/voice-provider.ts";

type ConfiguredProvider = { id: string; providerType: VoiceProviderType; providerName: string };

export type SnippetContext = {
  origin: string;
  tenantId: string;
  officeId?: string | undefined;
  apiKey: string;
  tools: readonly ToolSchema[];
  voiceProviders: readonly ConfiguredProvider[];
};

/** Our tools answer within 8 seconds. */
export const toolTimeoutSeconds = 20;

export const mcpAddress = ({ origin, tenantId, officeId }: SnippetContext): string =>
  `${origin}/api/mcp/${tenantId}${officeId === undefined ? "" : `/${officeId}`}`;

export const bearerOf = ({ apiKey }: SnippetContext): string => `Bearer ${apiKey}`;

export const hooksAt = ({ origin, voiceProviders }: SnippetContext, type: VoiceProviderType): (ConfiguredProvider & { url: string })[] =>
  voiceProviders
    .filter(({ providerType }) => providerType === type)
    .map((provider) => ({ ...provider, url: hookUrl(origin, type, provider.id) }));

export const jsonSnippet = (snippet: Omit<Snippet, "language" | "text">, value: unknown): Snippet => ({
  ...snippet,
  language: "json",
  text: JSON.stringify(value, null, 2),
});

/** Quotes for POSIX shells. */
const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export const curlPost = (address: string, headers: Record<string, string>, body: unknown): string =>
  [
    `curl --fail-with-body ${shellQuote(address)}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${shellQuote(`${name}: ${value}`)}`),
    `--data ${shellQuote(JSON.stringify(body))}`,
  ].join(" \\\n  ");
