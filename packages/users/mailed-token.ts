import { randomBytes } from "node:crypto";
import { AppError, digest } from "@vitaline/core";
import { create, keys, remove, type MailedTokenRow, type UserRow, type Write } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { isOpen, readAccount, type Account } from "./account.ts";

type Kind = MailedTokenRow["kind"];

const lifetimeSeconds: Record<Kind, number> = { reset: 3600, invite: 7 * 86_400 };

const keyOf = (token: string) => keys.mailedToken(digest("mailed-token", token));

/** A secret of 256 bits for a link, and the row by which it is known again: the table holds its hash alone. */
export function newMailedToken(ctx: PlatformContext, kind: Kind, user: UserRow): { token: string; write: Write } {
  const token = randomBytes(32).toString("base64url");
  const { id: userId, tenantId, epoch: userEpoch } = user;
  const expiresAt = Math.floor(ctx.clock().getTime() / 1000) + lifetimeSeconds[kind];
  return { token, write: create(keyOf(token), { kind, userId, tenantId, userEpoch, expiresAt }) };
}

/** The same words for a link that is used, over, replaced, of another kind, or never was. */
export const linkIsOver = (cause?: unknown) =>
  new AppError("not_doable", "This link is not valid any more. Please ask for a new one.", { cause });

/**
 * Whose a mailed secret is, and the write that uses it up. It dies with everything that raises the user's epoch: a new
 * password, another address, a deactivation. AppError `not_doable`.
 */
export async function openMailedToken(ctx: PlatformContext, kind: Kind, token: string): Promise<Account & { used: Write }> {
  const key = keyOf(token);
  const row = await ctx.platform.get(key);
  if (row?.kind !== kind) throw linkIsOver();
  const account = await readAccount(ctx, row.userId, row.tenantId);
  if (!account || account.user.tenantId !== row.tenantId || account.user.epoch !== row.userEpoch || !isOpen(account)) throw linkIsOver();
  return { ...account, used: remove(key, { exists: true }) };
}
