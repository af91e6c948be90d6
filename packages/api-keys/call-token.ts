import type { Call } from "@vitaline/contract";
import { isKeyedHash, keyedHash } from "@vitaline/core";
import { keys } from "@vitaline/store";
import type { DirectoryContext } from "@vitaline/store/scoped.ts";
import { tenantInactive, invalidCredential, singleCredential } from "./authenticate.ts";

export type CallGrant = {
  tenantId: string;
  /** Absent: the tenant as a whole. */
  officeId?: string;
  voiceProviderId: string;
  platform: Call["platform"];
  /** The platform's id. */
  callId: string;
  /** The platform's id. */
  agentId?: string;
  callerMark?: string;
};

const prefix = "vtl_call_";
/** Longer than any platform's calls. */
const lifetimeSeconds = 2 * 3600;
const pattern = /^vtl_call_([\w-]{1,4000})\.([\w-]{43})$/;

/** False for an API key. */
export const isCallToken = (presented: string): boolean => presented.startsWith(prefix);

/** `vtl_call_<claims>.<signature>`, valid for two hours and not stored. */
export function newCallToken(grant: CallGrant, now: Date): string {
  const until = Math.floor(now.getTime() / 1000) + lifetimeSeconds;
  const claims = Buffer.from(JSON.stringify({ ...grant, until })).toString("base64url");
  return `${prefix}${claims}.${keyedHash("call-token", [claims])}`;
}

/**
 * One strongly consistent read; none for a wrong signature or an expired token. AppError `unauthenticated`, also for an inactive
 * voice provider; `tenant_inactive`.
 */
export async function verifyCallToken(ctx: DirectoryContext, presented: readonly string[]): Promise<CallGrant> {
  const [, claims = "", signature = ""] = pattern.exec(singleCredential(presented)) ?? [];
  if (!claims || !isKeyedHash(signature, "call-token", [claims])) throw invalidCredential();
  const { until, ...grant } = JSON.parse(Buffer.from(claims, "base64url").toString()) as CallGrant & { until: number };
  if (until * 1000 <= ctx.clock().getTime()) throw invalidCredential();
  const hook = await ctx.platform.get(keys.hookBeforeTenant(grant.voiceProviderId));
  if (!hook?.isActive || hook.tenantId !== grant.tenantId) throw invalidCredential();
  if (hook.suspended) throw tenantInactive();
  return grant;
}

/**
 * Fifteen digits per tenant and caller that do not reveal the number, for counting attempts. `caller` is normalized by `callerNumberOf`
 * of packages/tools.
 */
export function callerMark(tenantId: string, caller: string): string {
  const hash = Buffer.from(keyedHash("caller-mark", [tenantId, caller]), "base64url");
  return String(hash.readBigUInt64BE() % 10n ** 15n).padStart(15, "0");
}
