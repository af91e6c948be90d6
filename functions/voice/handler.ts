import { requireOffice } from "@vitaline/calls";
import { type CallReport, type FlatCallSummary, type VapiMessage, voiceFunction, type VoiceProviderType } from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import type { TenantContext } from "@vitaline/store";
import { keepSpokenLanguage, languageOfCall, runTool, runTools } from "@vitaline/tools";
import { findAnsweringAgent } from "@vitaline/voice-agents";
import { loadVoicePlatform } from "@vitaline/voice-providers";
import { serve } from "../lib/api/serve.ts";
import { apiKeyAuth } from "../lib/auth/api-key.ts";
import { signatureAuth } from "../lib/auth/signature.ts";
import type { ApiKeyContext, HookContext } from "../lib/auth/types.ts";
import { ingestOrKeep } from "../lib/call-events/ingest.ts";
import { withOutboundLoopbackRule } from "../lib/context/ehr-context.ts";
import { platformAccess } from "../lib/voice/platform-access.ts";

type PathParams = { toolName?: string; voiceProviderId?: string };

/** Handles any message of a platform at any of its addresses, because many tenants configure one address for all messages. */
export async function handleMessage(
  ctx: ApiKeyContext | HookContext,
  type: VoiceProviderType,
  body: unknown,
  { toolName, voiceProviderId }: PathParams = {},
): Promise<unknown> {
  const platform = await loadVoicePlatform(type);
  const request = platform.decodeToolCalls(body, { toolName, header: ctx.header });
  if (request) return platform.encodeResults(request, await runTools(ctx, request.calls));
  const transfer = platform.decodeTransfer?.(body);
  if (transfer) return platform.encodeTransfer?.(await runTool(ctx, transfer.call), transfer, await languageOfCall(ctx, transfer.call));
  const incoming = platform.decodeIncoming(body);
  if (incoming) {
    const agent = await findAnsweringAgent(ctx, { ...incoming, ...(voiceProviderId ? { voiceProviderId } : {}) });
    return platform.answerIncoming(incoming, agent, platformAccess(ctx, agent?.provider.id ?? voiceProviderId ?? ""));
  }
  const spoken = platform.decodeLanguage?.(body);
  if (spoken) await keepSpokenLanguage(ctx, spoken.callKey, spoken.language);
  else await ingestOrKeep(ctx, type, body);
  return platform.acknowledge(body);
}

/** Vapi's end-of-call report, or a summary from an automation. */
async function ingestSummary(ctx: TenantContext, body: VapiMessage | FlatCallSummary): Promise<{ received: true }> {
  if (!(await ingestOrKeep(ctx, "message" in body ? "vapi" : "summary", body)))
    throw new AppError("invalid_request", "Send an end-of-call report that names its call.", {
      fields: { "message.call.id": "Is required" },
    });
  return { received: true };
}

/** A call report from the tenant's own client. AppError `not_found` for an unknown office. */
async function ingestReport(ctx: TenantContext, body: CallReport): Promise<{ received: true; at: string }> {
  await requireOffice(ctx, body.officeId ?? undefined);
  await ingestOrKeep(ctx, "report", body);
  return { received: true, at: ctx.clock().toISOString() };
}

export const handler = withOutboundLoopbackRule(
  serve(voiceFunction, { ...apiKeyAuth, ...signatureAuth }, ["directory", "ehr"])({
    vapiToolCall: (ctx, { body }) => handleMessage(ctx, "vapi", body),
    vapiServer: (ctx, { body }) => handleMessage(ctx, "vapi", body),
    vapiCallSummary: (ctx, { body }) => ingestSummary(ctx, body),
    retellFunction: (ctx, { body }) => handleMessage(ctx, "retellai", body),
    retellNamedFunction: (ctx, { params, body }) => handleMessage(ctx, "retellai", body, params),
    elevenLabsTool: (ctx, { params, body }) => handleMessage(ctx, "elevenlabs", body, params),
    elevenLabsInitiation: (ctx, { body }) => handleMessage(ctx, "elevenlabs", body),
    reportCall: (ctx, { body }) => ingestReport(ctx, body),
    vapiHook: (ctx, { params, body }) => handleMessage(ctx, "vapi", body, params),
    retellHook: (ctx, { params, body }) => handleMessage(ctx, "retellai", body, params),
    elevenLabsHook: (ctx, { params, body }) => handleMessage(ctx, "elevenlabs", body, params),
    openAiHook: (ctx, { params, body }) => handleMessage(ctx, "openai", body, params),
  }),
);
