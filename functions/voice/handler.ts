import { contract } from "@vitaline/contract";
import { reachingOut } from "../lib/ehr.ts";
import { hookHolders } from "../lib/hook-holders.ts";
import { keyHolders } from "../lib/key-holders.ts";
import { serve } from "../lib/serve.ts";
import { answer } from "./answer.ts";
import { takeReport, takeSummary } from "./reports.ts";

export const handler = reachingOut(
  serve(contract.voice, { ...keyHolders, ...hookHolders })({
    vapiToolCall: (ctx, { body }) => answer(ctx, "vapi", body),
    vapiServer: (ctx, { body }) => answer(ctx, "vapi", body),
    vapiCallSummary: (ctx, { body }) => takeSummary(ctx, body),
    retellFunction: (ctx, { body }) => answer(ctx, "retellai", body),
    retellNamedFunction: (ctx, { params, body }) => answer(ctx, "retellai", body, params),
    elevenLabsTool: (ctx, { params, body }) => answer(ctx, "elevenlabs", body, params),
    elevenLabsInitiation: (ctx, { body }) => answer(ctx, "elevenlabs", body),
    reportCall: (ctx, { body }) => takeReport(ctx, body),
    vapiHook: (ctx, { params, body }) => answer(ctx, "vapi", body, params),
    retellHook: (ctx, { params, body }) => answer(ctx, "retellai", body, params),
    elevenLabsHook: (ctx, { params, body }) => answer(ctx, "elevenlabs", body, params),
    openAiHook: (ctx, { params, body }) => answer(ctx, "openai", body, params),
  }),
);
