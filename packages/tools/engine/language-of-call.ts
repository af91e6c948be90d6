import type { Language } from "@vitaline/contract";
import { errorFields } from "@vitaline/core";
import { parseArguments } from "../sdk/arguments.ts";
import type { ToolCall, ToolContext } from "../sdk/context.ts";
import { loadCall } from "./load-call.ts";
import { callLanguage, requestLanguage } from "./run/call-language.ts";

/** As a tool of the call would answer now, for a line that no tool says. Never throws. */
export async function languageOfCall(ctx: ToolContext, received: ToolCall): Promise<Language> {
  try {
    const { call, state, tenant, office } = await loadCall(ctx, received, { requestKeyFor: () => undefined, scopes: [] });
    return callLanguage({ argument: parseArguments(call.args)?.["language"], call, state, tenant, office }).language;
  } catch (error) {
    ctx.log("warn", "tool.language_unknown", { ...errorFields(error), callKey: received.callKey });
    return requestLanguage(received) ?? "en";
  }
}
