import { feedKey, feedRow } from "@vitaline/audit";
import { allDone } from "@vitaline/core";
import { create, keys, put, type AuditRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import type { AuditFacts, SignIn } from "./audit-facts.ts";

/** A day's list of who signed in is counted on that day; it stays a while to be looked at. */
const activeUserSeconds = 40 * 86_400;

/**
 * Writes what was audited into the platform's feed, and who signed in into the list of their day. Both rows have keys of
 * their own: written again, nothing changes. The list is counted from its rows' coming into being, so nobody counts twice.
 */
export async function noteFeed(ctx: PlatformContext, facts: readonly AuditFacts[]): Promise<void> {
  await allDone([
    ...facts.map(({ feed }) => noteRow(ctx, feed)),
    ...facts.flatMap(({ signIn }) => (signIn ? [noteSignIn(ctx, signIn)] : [])),
  ]);
}

const noteRow = (ctx: PlatformContext, row: AuditRow) => ctx.platform.note(put(feedKey(row), feedRow(row)));

const noteSignIn = (ctx: PlatformContext, { date, userId, at }: SignIn) =>
  ctx.platform.note(create(keys.activeUser(date, userId), { at, expiresAt: Math.floor(Date.parse(at) / 1000) + activeUserSeconds }));
