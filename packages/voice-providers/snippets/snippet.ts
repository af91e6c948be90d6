import type { Snippet, VoiceProviderType } from "@vitaline/contract";
import type { ToolSchema } from "@vitaline/tools";
import { hookAddress } from "../providers/webhook.ts";

/** A voice provider of the tenant, as far as configuring its platform asks. */
type ConfiguredProvider = { id: string; providerType: VoiceProviderType; providerName: string };

/** For whom snippets are made: everything that stands in them. */
export type SnippetContext = {
  /** Of this platform, as the public reaches it. */
  origin: string;
  tenantId: string;
  officeId?: string | undefined;
  apiKey: string;
  tools: readonly ToolSchema[];
  voiceProviders: readonly ConfiguredProvider[];
};

/** As long as a platform waits for a tool; ours answer within 8 seconds. */
export const toolTimeoutSeconds = 20;

export const mcpAddress = ({ origin, tenantId, officeId }: SnippetContext): string =>
  `${origin}/api/mcp/${tenantId}${officeId === undefined ? "" : `/${officeId}`}`;

export const bearerOf = ({ apiKey }: SnippetContext): string => `Bearer ${apiKey}`;

/** The tenant's own providers at a platform, each with the address that takes what it signs. */
export const hooksAt = ({ origin, voiceProviders }: SnippetContext, type: VoiceProviderType): (ConfiguredProvider & { url: string })[] =>
  voiceProviders
    .filter(({ providerType }) => providerType === type)
    .map((provider) => ({ ...provider, url: hookAddress(origin, type, provider.id) }));

/** A snippet that is JSON. */
export const jsonSnippet = (snippet: Omit<Snippet, "language" | "text">, value: unknown): Snippet => ({
  ...snippet,
  language: "json",
  text: JSON.stringify(value, null, 2),
});

/** POSIX shells take everything between single quotes as it is; a quote itself stands outside them. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export const post = (address: string, headers: Record<string, string>, body: unknown): string =>
  [
    `curl --fail-with-body ${quoted(address)}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    `--data ${quoted(JSON.stringify(body))}`,
  ].join(" \\\n  ");
