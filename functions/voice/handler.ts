import { requireOffice } from "@vitaline/calls";
import { contract, type CallReport, type FlatCallSummary, type VapiMessage } from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import type { TenantContext } from "@vitaline/store";
import { serve } from "../lib/api/serve.ts";
import { apiKeyAuth } from "../lib/auth/api-key.ts";
import { signatureAuth } from "../lib/auth/signature.ts";
import { ingestOrDeadLetter } from "../lib/call-events/ingest-or-dead-letter.ts";
import { withOutbound } from "../lib/context/ehr-context.ts";
import { answerMessage } from "./platform-message.ts";

/** Vapi's end-of-call report, or a summary from an automation. */
async function ingestSummary(ctx: TenantContext, body: VapiMessage | FlatCallSummary): Promise<{ received: true }> {
  if (!(await ingestOrDeadLetter(ctx, "message" in body ? "vapi" : "summary", body)))
    throw new AppError("invalid_request", "This address takes a call's end report that says which call it is about.", {
      fields: { "message.call.id": "Is required" },
    });
  return { received: true };
}

/** A call report from the tenant's own client. AppError `not_found` for an unknown office. */
async function ingestReport(ctx: TenantContext, body: CallReport): Promise<{ received: true; at: string }> {
  await requireOffice(ctx, body.officeId ?? undefined);
  await ingestOrDeadLetter(ctx, "report", body);
  return { received: true, at: ctx.clock().toISOString() };
}

export const handler = withOutbound(
  serve(contract.voice, { ...apiKeyAuth, ...signatureAuth }, ["directory", "ehr"])({
    vapiToolCall: (ctx, { body }) => answerMessage(ctx, "vapi", body),
    vapiServer: (ctx, { body }) => answerMessage(ctx, "vapi", body),
    vapiCallSummary: (ctx, { body }) => ingestSummary(ctx, body),
    retellFunction: (ctx, { body }) => answerMessage(ctx, "retellai", body),
    retellNamedFunction: (ctx, { params, body }) => answerMessage(ctx, "retellai", body, params),
    elevenLabsTool: (ctx, { params, body }) => answerMessage(ctx, "elevenlabs", body, params),
    elevenLabsInitiation: (ctx, { body }) => answerMessage(ctx, "elevenlabs", body),
    reportCall: (ctx, { body }) => ingestReport(ctx, body),
    vapiHook: (ctx, { params, body }) => answerMessage(ctx, "vapi", body, params),
    retellHook: (ctx, { params, body }) => answerMessage(ctx, "retellai", body, params),
    elevenLabsHook: (ctx, { params, body }) => answerMessage(ctx, "elevenlabs", body, params),
    openAiHook: (ctx, { params, body }) => answerMessage(ctx, "openai", body, params),
  }),
);
