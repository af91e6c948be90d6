import type { OpenSession } from "@vitaline/contract";
import { isAppError, notFound } from "@vitaline/core";
import { keys, update, type SessionRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import { saveUser } from "@vitaline/users";
import { hasEnded, ownAccount, type SignedInContext } from "./check.ts";

const storeOf = ({ platform, session }: SignedInContext) => (session.actor.tenantId ? platform.inTenant(session.actor.tenantId) : platform);

/** Newest first. One Query. */
export async function listSessions(ctx: SignedInContext): Promise<OpenSession[]> {
  const { actor, sid: current, userEpoch } = ctx.session;
  const { rows } = await ctx.platform.query<SessionRow>(partitions.sessions(actor.id), { descending: true });
  const ended = new Set(rows.filter(({ endedAt }) => endedAt !== undefined).map(({ id }) => id));
  return rows
    .filter((row) => row.userEpoch === userEpoch && !hasEnded(row, ctx.clock()) && !ended.has(row.viewAs?.openedIn ?? ""))
    .map(({ id, startedAt, lastSeen, clientAddress, userAgent, viewAs }) => ({
      id,
      startedAt,
      lastSeen,
      clientAddress: clientAddress ?? null,
      userAgent: userAgent ?? null,
      current: id === current,
      viewAs: viewAs?.tenantId ?? null,
    }));
}

/** Its token and those of views opened in it are refused from the next request on. AppError `not_found`. */
export async function endSession(ctx: SignedInContext, sid: string): Promise<void> {
  const { actor, sid: current } = ctx.session;
  const ended = update(keys.session(actor.id, sid), { set: { endedAt: ctx.clock().toISOString() } }, { exists: true, absent: ["endedAt"] });
  await storeOf(ctx)
    .commit([ended], {
      category: "configuration_change",
      action: sid === current ? "session.logout" : "session.end",
      resourceType: "Session",
      resourceId: sid,
    })
    .catch((error: unknown) => {
      throw isAppError(error, "stale_version") ? notFound() : error;
    });
}

export async function logoutEverywhere(ctx: SignedInContext): Promise<void> {
  const { user } = await ownAccount(ctx, ctx.session);
  await saveUser(ctx, user, { ...user, epoch: user.epoch + 1 }, { action: "session.logoutEverywhere" });
}
