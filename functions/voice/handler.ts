import { requireOffice } from "@vitaline/calls";
import { type CallReport, type FlatCallSummary, type VapiMessage, voiceFunction } from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import type { TenantContext } from "@vitaline/store";
import { serve } from "../lib/api/serve.ts";
import { apiKeyAuth } from "../lib/auth/api-key.ts";
import { signatureAuth } from "../lib/auth/signature.ts";
import { ingestOrKeep } from "../lib/call-events/ingest.ts";
import { withLoopbackRule } from "../lib/context/ehr-context.ts";
import { handleMessage } from "./platform-message.ts";

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

export const handler = withLoopbackRule(
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
