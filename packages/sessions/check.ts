import type { User } from "@vitaline/contract";
import { AppError, type Actor } from "@vitaline/core";
import { keys, update, type SessionRow, type TenantRow, type UserRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { userOf } from "./login.ts";
import { verify, type Claims } from "./token.ts";

const idleSeconds = 15 * 60;
const lastSeenStepSeconds = 60;

/** A session that holds: who it is, and for a tenant's user the tenant. */
export type Session = { sid: string; actor: Extract<Actor, { kind: "user" }>; user: User; tenant?: TenantRow };

const over = () => new AppError("session_expired", "Your session has ended. Please sign in again.");

type Rows = { session?: SessionRow; user?: UserRow; tenant?: TenantRow };

const read = async (ctx: PlatformContext, { sub, sid, tid }: Claims): Promise<Rows> => {
  if (tid === undefined) {
    const [session, user] = await ctx.platform.batchGet([keys.session(sid), keys.user(sub)]);
    return { session, user };
  }
  const [session, user, tenant] = await ctx.platform.inTenant(tid).batchGet([keys.session(sid), keys.user(sub), keys.tenantConfig()]);
  return { session, user, tenant };
};

/** Everything that ends a session at once: sign-out, idleness, deactivation, a new role or password (epoch). */
const holds = ({ session, user, tenant }: Rows, claims: Claims, now: Date): boolean => {
  if (!session || !user || session.endedAt || session.userId !== claims.sub || session.tenantId !== claims.tid) return false;
  if (!user.isActive || user.tenantId !== claims.tid || user.epoch !== session.userEpoch) return false;
  if (claims.tid !== undefined && (!tenant?.isActive || tenant.epoch !== session.tenantEpoch)) return false;
  return now.getTime() - Date.parse(session.lastSeen) <= idleSeconds * 1000;
};

/**
 * Checks a bearer token in one round trip: session, user and tenant rows, strongly consistent, never cached.
 * `activity` false leaves the idle clock alone. AppError `unauthenticated` or `session_expired`.
 */
export async function checkSession(ctx: PlatformContext, token: string, activity: boolean): Promise<Session> {
  const claims = await verify(token);
  const rows = await read(ctx, claims);
  const now = ctx.clock();
  if (!holds(rows, claims, now)) throw over();
  const { session, user, tenant } = rows as Required<Rows>;
  if (activity && now.getTime() - Date.parse(session.lastSeen) >= lastSeenStepSeconds * 1000)
    await ctx.platform.note(
      update(keys.session(claims.sid), { set: { lastSeen: now.toISOString() } }, { exists: true, absent: ["endedAt"] }),
    );
  return {
    sid: claims.sid,
    actor: { kind: "user", id: user.id, role: user.role, tenantId: user.tenantId },
    user: userOf(user, tenant, session.startedAt),
    tenant,
  };
}

/** Signs out: the token is refused from the next request on. */
export async function endSession(ctx: PlatformContext, sid: string): Promise<void> {
  const store = ctx.actor.kind === "user" && ctx.actor.tenantId ? ctx.platform.inTenant(ctx.actor.tenantId) : ctx.platform;
  await store.commit([update(keys.session(sid), { set: { endedAt: ctx.clock().toISOString() } }, { exists: true })], {
    category: "configuration_change",
    action: "session.logout",
    resourceType: "Session",
    resourceId: sid,
  });
}
