import type { Language } from "@vitaline/contract";
import { errorFields } from "@vitaline/core";
import { type CallStateRow, keys, type OfficeRow, type TenantContext, update } from "@vitaline/store";
import type { ToolCall, ToolContext } from "../../sdk/context.ts";
import { readLanguage } from "../../spoken/language.ts";

type Sources = { argument: unknown; call: ToolCall; state: CallStateRow | undefined; office: OfficeRow | undefined };

/**
 * The language of the call. `namedLanguage`: by the voice agent, in this request or an earlier one; else the platform's, the verified
 * patient's, the office's, English.
 */
export function callLanguage({ argument, call, state, office }: Sources): { language: Language; namedLanguage: Language | undefined } {
  const namedLanguage = readLanguage(argument) ?? state?.language;
  return { language: namedLanguage ?? call.language ?? state?.patientLanguage ?? office?.language ?? "en", namedLanguage };
}

const keptSeconds = 4 * 3600;

/** For a platform that hears which language the caller has changed to. One write unit. */
export async function keepSpokenLanguage(ctx: TenantContext, callKey: string, language: Language): Promise<void> {
  const expiresAt = Math.floor(ctx.clock().getTime() / 1000) + keptSeconds;
  const change = { set: { language }, setOnce: { level: 0 as const, expiresAt } };
  await ctx.store.writeUnaudited(update<CallStateRow>(keys.callState(callKey), change, { absent: ["closedAt"] }));
}

/** Keeps a change of language for the rest of the call; the identity check keeps the first one itself. One write unit, only for a change. */
export async function rememberLanguage(
  ctx: ToolContext,
  call: ToolCall,
  state: CallStateRow | undefined,
  language: Language | undefined,
): Promise<void> {
  if (!state || !language || language === state.language) return;
  await ctx.store
    .writeUnaudited(update<CallStateRow>(keys.callState(call.callKey), { set: { language } }, { exists: true, absent: ["closedAt"] }))
    .catch((error: unknown) => ctx.log("warn", "tool.language_not_kept", { ...errorFields(error), callKey: call.callKey }));
}
