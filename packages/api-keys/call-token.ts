import { timingSafeEqual } from "node:crypto";
import type { Call } from "@vitaline/contract";
import { keyedHash } from "@vitaline/core";
import { keys } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { inactive, onlyOne, refused } from "./authenticate.ts";

/** What a call's token stands for: this one call, as answered at this place of this tenant. */
export type CallGrant = {
  tenantId: string;
  /** Absent: the tenant as a whole, and none of its offices. */
  officeId?: string;
  /** Who acts with it. */
  voiceProviderId: string;
  platform: Call["platform"];
  /** The platform's own id of the call. */
  callId: string;
  /** The platform's own id of the agent that answers. */
  agentId?: string;
  /** See callerMark. */
  callerMark?: string;
};

const prefix = "vtl_call_";
/** Longer than any platform lets a call be. */
const lifetimeSeconds = 2 * 3600;
const shape = /^vtl_call_([\w-]{1,4000})\.([\w-]{43})$/;

const sign = (claims: string): string => keyedHash("call-token", [claims]);

/** Whether this is meant to be a call's token rather than a tenant's key. */
export const isCallToken = (presented: string): boolean => presented.startsWith(prefix);

/** `vtl_call_<what it stands for>.<signature>`: for a platform that holds no key of the tenant's. It lasts two hours and is kept nowhere. */
export function newCallToken(grant: CallGrant, now: Date): string {
  const until = Math.floor(now.getTime() / 1000) + lifetimeSeconds;
  const claims = Buffer.from(JSON.stringify({ ...grant, until })).toString("base64url");
  return `${prefix}${claims}.${sign(claims)}`;
}

/**
 * Which call this token was given for: one strongly consistent read, none at all for what we did not sign or what is over.
 * AppError `unauthenticated`, also when the voice provider was switched off meanwhile; `tenant_inactive` when its tenant was.
 */
export async function verifyCallToken(ctx: PlatformContext, presented: readonly string[]): Promise<CallGrant> {
  const [, claims = "", signature = ""] = shape.exec(onlyOne(presented)) ?? [];
  if (!claims || !timingSafeEqual(Buffer.from(sign(claims)), Buffer.from(signature))) throw refused();
  const { until, ...grant } = JSON.parse(Buffer.from(claims, "base64url").toString()) as CallGrant & { until: number };
  if (until * 1000 <= ctx.clock().getTime()) throw refused();
  const hook = await ctx.platform.get(keys.hookOwner(grant.voiceProviderId));
  if (!hook?.isActive || hook.tenantId !== grant.tenantId) throw refused();
  if (hook.suspended) throw inactive();
  return grant;
}

/**
 * Fifteen digits that stand for a caller, always the same, from which nobody can tell the number: enough to count a caller's attempts
 * by. `caller` is the number as `callerOf` of packages/tools reads it, which knows what is none.
 */
export function callerMark(tenantId: string, caller: string): string {
  const hash = Buffer.from(keyedHash("caller-mark", [tenantId, caller]), "base64url");
  return String(hash.readBigUInt64BE() % 10n ** 15n).padStart(15, "0");
}
