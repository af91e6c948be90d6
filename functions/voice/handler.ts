import { recordCallEvent } from "@vitaline/calls";
import { contract, type VapiMessage } from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import { runTools } from "@vitaline/tools";
import { vapi } from "@vitaline/voice-providers";
import type { KeyContext } from "../lib/callers.ts";
import { reachingOut } from "../lib/ehr.ts";
import { keyHolders } from "../lib/key-holders.ts";
import { serve } from "../lib/serve.ts";

/** Any Vapi message may come to either address: many tenants give Vapi one for all. */
const answer = async (ctx: KeyContext, body: VapiMessage): Promise<unknown> => {
  const request = vapi.decodeToolCalls(body);
  if (request) return vapi.encodeResults(request, await runTools(ctx, request.calls));
  const event = vapi.decodeCallEvent(body);
  if (event) await recordCallEvent(ctx, event);
  return vapi.safeAnswer(body);
};

const noReport = () =>
  new AppError("invalid_request", "This address takes a call's end report that says which call it is about.", {
    fields: { "message.call.id": "Is required" },
  });

export const handler = reachingOut(
  serve(
    contract.voice,
    keyHolders,
  )({
    vapiToolCall: (ctx, { body }) => answer(ctx, body),
    vapiServer: (ctx, { body }) => answer(ctx, body),
    vapiCallSummary: async (ctx, { body }) => {
      const event = "message" in body ? vapi.decodeCallEvent(body) : vapi.decodeFlatSummary(body);
      if (!event) throw noReport();
      await recordCallEvent(ctx, event);
      return { received: true as const };
    },
  }),
);
