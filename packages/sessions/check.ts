import type { Me, Pending } from "@vitaline/contract";
import { type Actor, AppError, envReader } from "@vitaline/core";
import { keys, type SessionRow, type TenantRow, update, type UserRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { asUser, listed, readAccount } from "@vitaline/users";
import * as z from "zod/mini";
import { type Claims, verify } from "./token.ts";

const idleSeconds = 15 * 60;
const lastSeenStepSeconds = 60;

/** A session that holds: who it is, and the tenant that it reaches if there is one. */
export type Session = {
  sid: string;
  actor: Extract<Actor, { kind: "user" }>;
  user: Me;
  tenant?: TenantRow;
  /** What must be done before anything else is answered. */
  pending?: Pending;
  /** A system administrator who looks at the tenant: nothing may be changed, nor the key be seen. */
  isViewing: boolean;
  userEpoch: number;
  startedAt: string;
};

const over = () => new AppError("session_expired", "Your session has ended. Please sign in again.");

/** Which session, whose, and the tenant that it reaches. */
type Named = Omit<Claims, "exp">;
type Rows = { session?: SessionRow; user?: UserRow; tenant?: TenantRow; openedIn?: SessionRow };

const read = async (ctx: PlatformContext, { sub, sid, tid, oid }: Named): Promise<Rows> => {
  const [sessionKey, userKey] = [keys.session(sub, sid), keys.user(sub)];
  if (tid === undefined) {
    const [session, user] = await ctx.platform.batchGet([sessionKey, userKey]);
    return { session, user };
  }
  const store = ctx.platform.inTenant(tid);
  if (oid === undefined) {
    const [session, user, tenant] = await store.batchGet([sessionKey, userKey, keys.tenantConfig()]);
    return { session, user, tenant };
  }
  const [session, user, tenant, openedIn] = await store.batchGet([sessionKey, userKey, keys.tenantConfig(), keys.session(sub, oid)]);
  return { session, user, tenant, openedIn };
};

/** Idle for too long, signed out, or past the end of a view. */
export const isOver = ({ endedAt, lastSeen, viewAs }: SessionRow, now: Date): boolean =>
  endedAt !== undefined ||
  now.getTime() - Date.parse(lastSeen) > idleSeconds * 1000 ||
  (viewAs !== undefined && now.getTime() >= Date.parse(viewAs.until));

/** A view is over when its administrator has signed out of the session that it was opened in; that one may lie idle meanwhile. */
const isOpenStill = ({ viewAs }: SessionRow, openedIn: SessionRow | undefined): boolean =>
  viewAs?.openedIn === undefined || (openedIn?.id === viewAs.openedIn && openedIn.endedAt === undefined);

/** Everything that ends a session at once: sign-out, idleness, deactivation, a new role or password (epoch). */
const holds = ({ session, user, tenant, openedIn }: Rows, claims: Named, now: Date): boolean => {
  if (!session || !user || session.userId !== claims.sub || session.tenantId !== claims.tid || isOver(session, now)) return false;
  if (!isOpenStill(session, openedIn)) return false;
  const mayReach = session.viewAs ? user.role === "system_admin" && session.viewAs.tenantId === claims.tid : user.tenantId === claims.tid;
  if (!mayReach || !user.isActive || user.epoch !== session.userEpoch) return false;
  return claims.tid === undefined || (tenant?.isActive === true && tenant.epoch === session.tenantEpoch);
};

/** Who is signed in, as `/me` shows it. Who views as a tenant is shown as its administrator. */
const shownAs = (user: UserRow, tenant: TenantRow | undefined, { startedAt, viewAs }: SessionRow): Me => {
  const shown = asUser({ ...listed(user), lastLogin: startedAt }, tenant?.name);
  return viewAs && tenant
    ? { ...shown, role: "tenant_admin", tenantId: tenant.id, viewAs: { tenantId: tenant.id, tenantName: tenant.name, until: viewAs.until } }
    : shown;
};

/** Who is in a session that holds, for somebody who comes back from elsewhere without its token. One read. */
export async function whoIsIn(
  ctx: PlatformContext,
  { userId, sid, tenantId }: { userId: string; sid: string; tenantId?: string | undefined },
): Promise<UserRow | undefined> {
  const claims = { sub: userId, sid, tid: tenantId };
  const rows = await read(ctx, claims);
  return holds(rows, claims, ctx.clock()) ? rows.user : undefined;
}

/**
 * Checks a bearer token in one round trip: session, user and tenant rows, strongly consistent, never cached.
 * `activity` false leaves the idle clock alone. AppError `unauthenticated` or `session_expired`.
 */
export async function checkSession(ctx: PlatformContext, token: string, activity: boolean): Promise<Session> {
  const claims = await verify(token);
  const rows = await read(ctx, claims);
  const now = ctx.clock();
  if (!holds(rows, claims, now)) throw over();
  const { session, user, tenant } = rows as Rows & { session: SessionRow; user: UserRow };
  if (activity && now.getTime() - Date.parse(session.lastSeen) >= lastSeenStepSeconds * 1000)
    await ctx.platform.note(
      update(keys.session(claims.sub, claims.sid), { set: { lastSeen: now.toISOString() } }, { exists: true, absent: ["endedAt"] }),
    );
  const { viewAs } = session;
  return {
    sid: claims.sid,
    actor: viewAs
      ? {
          kind: "user",
          id: user.id,
          role: "tenant_admin",
          tenantId: viewAs.tenantId,
          viewAs: viewAs.tenantId,
          name: `${user.firstName} ${user.lastName}`,
        }
      : { kind: "user", id: user.id, role: user.role, tenantId: user.tenantId },
    user: shownAs(user, tenant, session),
    tenant,
    pending: pendingNow(session, user, tenant),
    isViewing: viewAs !== undefined,
    userEpoch: user.epoch,
    startedAt: session.startedAt,
  };
}

/** The rows behind a session, read anew for a change of them. AppError `session_expired`. */
export async function ownAccount(ctx: PlatformContext, { actor }: Session) {
  const account = await readAccount(ctx, actor.id, actor.tenantId);
  if (!account) throw over();
  return account;
}

export type SignedInContext = PlatformContext & { session: Session };

const environment = envReader(z.object({ SYSTEM_ADMIN_TOTP: z.optional(z.string()) }));

const demanded = (user: UserRow, tenant: TenantRow | undefined, byPlatform: boolean): Pending | undefined => {
  if (user.mustChangePassword) return "password_change";
  const isBare = user.totp?.confirmedAt === undefined;
  return isBare && (byPlatform || tenant?.policies?.requireTotp === true) ? "totp_enrolment" : undefined;
};

/** What a person has to do before anything else, when a session opens: only there the platform's own demand is known. */
export const pendingAtStart = (user: UserRow, tenant: TenantRow | undefined): Pending | undefined =>
  demanded(user, tenant, user.role === "system_admin" && environment().SYSTEM_ADMIN_TOTP === "required");

/** The same on every request: done is done at once, and a tenant's new policy counts at once. */
const pendingNow = ({ pending, viewAs }: SessionRow, user: UserRow, tenant: TenantRow | undefined): Pending | undefined =>
  viewAs ? undefined : demanded(user, tenant, pending === "totp_enrolment");
