import type { SignedIn } from "@vitaline/contract";
import { newId } from "@vitaline/core";
import { create, keys, type SessionRow, type TenantRow, type UserRow, type Write } from "@vitaline/store";
import type { AccountContext } from "@vitaline/store/scoped.ts";
import { asUser, toDirectoryRow, type Account } from "@vitaline/users";
import { pendingAtStart } from "./check.ts";
import { issueToken } from "./token.ts";

const absoluteSeconds = 12 * 3600;

/** The token is valid once `write` is committed. */
type Opening = { write: Write; token: string; startedAt: string };

export async function openSession(
  ctx: AccountContext,
  { user, tenant }: { user: { id: string; epoch: number }; tenant?: TenantRow },
  more: Pick<SessionRow, "pending" | "viewAs" | "userAgent">,
  lifetimeSeconds = absoluteSeconds,
): Promise<Opening> {
  const now = ctx.clock();
  const at = now.toISOString();
  const sid = newId(now.getTime());
  const session: SessionRow = {
    id: sid,
    userId: user.id,
    tenantId: tenant?.id,
    userEpoch: user.epoch,
    tenantEpoch: tenant?.epoch ?? 0,
    startedAt: at,
    lastSeen: at,
    clientAddress: ctx.clientAddress,
    ...more,
    expiresAt: Math.floor(now.getTime() / 1000) + lifetimeSeconds,
  };
  const token = await issueToken({ sub: user.id, sid, tid: tenant?.id, oid: more.viewAs?.openedIn }, now, lifetimeSeconds);
  return { write: create(keys.session(user.id, sid), session), token, startedAt: at };
}

export async function openAccountSession(
  ctx: AccountContext,
  account: Account,
  userAgent: string | undefined,
): Promise<Opening & { answer: SignedIn }> {
  const { user, tenant } = account;
  const pending = pendingAtStart(user, tenant);
  const opening = await openSession(ctx, account, { pending, userAgent });
  const { token, startedAt } = opening;
  const shown = asUser({ ...toDirectoryRow(user), lastLogin: startedAt }, tenant?.name);
  return { ...opening, answer: { user: shown, token, mustChangePassword: user.mustChangePassword ?? false, pending: pending ?? null } };
}

export const storeAsUser = (ctx: AccountContext, { id, role, tenantId }: UserRow) => {
  const platform = ctx.platform.as({ kind: "user", id, role, tenantId });
  return tenantId ? platform.inTenant(tenantId) : platform;
};

// Ordered: each User-Agent also contains the names after its own.
const browsers: [pattern: RegExp, name: string][] = [
  [/\bEdg/, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
];
const operatingSystems: [pattern: RegExp, name: string][] = [
  [/\bWindows\b/, "Windows"],
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b|\biPad\b/, "iOS"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const matchName = (header: string, names: [RegExp, string][]): string | undefined => names.find(([pattern]) => pattern.test(header))?.[1];

/** Such as "Firefox on Windows", without other text of the header. */
export const shortUserAgent = (header: string | undefined): string | undefined => {
  const browser = matchName(header ?? "", browsers);
  const system = matchName(header ?? "", operatingSystems);
  return browser && system ? `${browser} on ${system}` : (browser ?? system);
};
