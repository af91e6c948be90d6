import { randomBytes } from "node:crypto";
import { AppError, sha256In } from "@vitaline/core";
import { create, keys, remove, type MailedTokenRow, type UserRow, type Write } from "@vitaline/store";
import type { AccountContext } from "@vitaline/store/scoped.ts";
import { canSignIn, readAccount, type Account } from "./account.ts";

type Kind = MailedTokenRow["kind"];

const lifetimeSeconds: Record<Kind, number> = { reset: 3600, invite: 7 * 86_400 };

const keyOf = (token: string) => keys.mailedToken(sha256In("mailed-token", token));

/** 256 bits; only the hash is stored. */
export function newMailedToken(ctx: AccountContext, kind: Kind, user: UserRow): { token: string; write: Write } {
  const token = randomBytes(32).toString("base64url");
  const { id: userId, tenantId, epoch: userEpoch } = user;
  const expiresAt = Math.floor(ctx.clock().getTime() / 1000) + lifetimeSeconds[kind];
  return { token, write: create(keyOf(token), { kind, userId, tenantId, userEpoch, expiresAt }) };
}

/** One message for every reason, so that links cannot be probed. */
export const invalidLink = (cause?: unknown) =>
  new AppError("not_doable", "This link is no longer valid. Please request a new one.", { cause });

/**
 * `used` invalidates the token. A change of the user's epoch does so too: a new password or email, a deactivation. AppError
 * `not_doable`.
 */
export async function openMailedToken(ctx: AccountContext, kind: Kind, token: string): Promise<Account & { used: Write }> {
  const key = keyOf(token);
  const row = await ctx.platform.get(key);
  if (row?.kind !== kind) throw invalidLink();
  const account = await readAccount(ctx, row.userId, row.tenantId);
  if (!account || account.user.tenantId !== row.tenantId || account.user.epoch !== row.userEpoch || !canSignIn(account))
    throw invalidLink();
  return { ...account, used: remove(key, { exists: true }) };
}
