import type { Language } from "@vitaline/contract";
import { errorFields } from "@vitaline/core";
import { usualLanguageOf } from "@vitaline/offices";
import { type CallStateRow, keys, type OfficeRow, type TenantContext, type TenantRow, update } from "@vitaline/store";
import { emergencyLineFor } from "../../emergency/emergency-in-arguments.ts";
import { parseArguments } from "../../sdk/arguments.ts";
import type { ToolCall, ToolContext } from "../../sdk/context.ts";
import { callLine, type CallLine } from "../../speech/call-lines.ts";
import { readLanguage } from "../../nlu/language.ts";

type Sources = {
  argument: unknown;
  call: ToolCall;
  state: CallStateRow | undefined;
  tenant: TenantRow | undefined;
  office: OfficeRow | undefined;
};

/**
 * The language of the call. `namedLanguage`: by the voice agent, in this request or an earlier one; else the platform's, the verified
 * patient's, the office's, the tenant's, English.
 */
export function callLanguage({ argument, call, state, tenant, office }: Sources): {
  language: Language;
  namedLanguage: Language | undefined;
} {
  const namedLanguage = readLanguage(argument) ?? state?.language;
  return { language: namedLanguage ?? call.language ?? state?.patientLanguage ?? usualLanguageOf(tenant, office), namedLanguage };
}

/** As far as the request itself tells. */
export const requestLanguage = ({ args, language }: Pick<ToolCall, "args" | "language">): Language | undefined =>
  readLanguage(parseArguments(args)?.["language"]) ?? language;

/** For a request that is not run: an emergency's line goes first. */
export const refusalOf = (line: CallLine, request: Pick<ToolCall, "args" | "language">): string =>
  emergencyLineFor(request.args) ?? callLine(line, requestLanguage(request));

const keptSeconds = 4 * 3600;

/** Also for a platform that hears which language the caller has changed to. One write unit. */
export async function keepSpokenLanguage(ctx: TenantContext, callKey: string, language: Language): Promise<void> {
  const expiresAt = Math.floor(ctx.clock().getTime() / 1000) + keptSeconds;
  const change = { set: { language }, setOnce: { level: 0 as const, expiresAt } };
  await ctx.store.writeUnaudited(update<CallStateRow>(keys.callState(callKey), change, { absent: ["closedAt"] }));
}

/**
 * Keeps a language that the agent names, also before the caller is verified, for the rest of the call. One write unit, only when it is
 * another one than before.
 */
export async function rememberLanguage(
  ctx: ToolContext,
  call: ToolCall,
  state: CallStateRow | undefined,
  language: Language | undefined,
): Promise<void> {
  if (!language || language === state?.language) return;
  await keepSpokenLanguage(ctx, call.callKey, language).catch((error: unknown) =>
    ctx.log("warn", "tool.language_not_kept", { ...errorFields(error), callKey: call.callKey }),
  );
}
