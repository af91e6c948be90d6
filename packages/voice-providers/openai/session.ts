import { contract } from "@vitaline/contract";
import * as z from "zod/mini";
import { text } from "../fields.ts";
import type { Answering } from "../port.ts";

const Settings = z.object({ instructions: text });

/** Said where the provider's settings hold no `instructions` of the tenant's own. */
const usualInstructions = (name: string): string =>
  [
    `You answer the telephone for ${name}. Be brief, friendly and clear, and ask for one thing at a time.`,
    "Before anything about a patient is said or done, verify the caller with verifyPatientIdentity.",
    "Use the tools for every fact and every change, and tell the caller what a tool's answer holds in `speech`. Never make up an answer.",
  ].join(" ");

const toolsAddress = (origin: string, { tenant, office }: Answering): string => {
  const { path } = office ? contract.mcp.mcpOffice : contract.mcp.mcpTenant;
  return origin + path.replace("{tenantId}", tenant.id).replace("{officeId}", office?.id ?? "");
};

/**
 * With what a call is accepted: the provider's model and voice, and our tools, opened by the call's own token.
 * Source: openai 7.55.0 CallAcceptParams.
 */
export function sessionFor(answering: Answering, { origin, callToken }: { origin: string; callToken: string }) {
  const { agent, provider, tenant, office } = answering;
  const { data: settings } = z.safeParse(Settings, JSON.parse(provider.settings));
  return {
    type: "realtime" as const,
    model: provider.model ?? agent.externalAgentId,
    instructions: settings?.instructions ?? usualInstructions(office?.name ?? tenant.name),
    ...(provider.voice ? { audio: { output: { voice: provider.voice } } } : {}),
    tools: [
      {
        type: "mcp" as const,
        server_label: "vitaline",
        server_url: toolsAddress(origin, answering),
        authorization: callToken,
        require_approval: "never" as const,
      },
    ],
  };
}
