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

/** How the language that the agent names is kept for the rest of the call, also before the caller is verified. */
type LanguageKeeping = {
  /** A write of the tool has kept it. */
  markStored(): void;
  /** After the run; never throws. */
  end(): Promise<void>;
};

/**
 * Keeps the language at once or, with `byTool`, leaves it to the writes of a tool, and keeps it at the end if the tool made none. One
 * write unit, only for another language than before.
 */
export async function keepNamedLanguage(
  ctx: ToolContext,
  { callKey }: ToolCall,
  { state, named, byTool }: { state: CallStateRow | undefined; named: Language | undefined; byTool: boolean },
): Promise<LanguageKeeping> {
  let isStored = named === undefined || named === state?.language;
  const keep = async () => {
    if (isStored || named === undefined) return;
    isStored = true;
    await keepSpokenLanguage(ctx, callKey, named).catch((error: unknown) =>
      ctx.log("warn", "tool.language_not_kept", { ...errorFields(error), callKey }),
    );
  };
  if (!byTool) await keep();
  return { markStored: () => void (isStored = true), end: keep };
}
