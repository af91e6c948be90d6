import type { Me, Pending } from "@vitaline/contract";
import { AppError, envReader, type Actor } from "@vitaline/core";
import { keys, update, type SessionRow, type TenantRow, type UserRow } from "@vitaline/store";
import type { AccountContext, ScopedContext } from "@vitaline/store/scoped.ts";
import { asUser, toDirectoryRow, readAccount } from "@vitaline/users";
import * as z from "zod/mini";
import { verify, type Claims } from "./token.ts";

const idleSeconds = 15 * 60;
const lastSeenStepSeconds = 60;

export type Session = {
  sid: string;
  actor: Extract<Actor, { kind: "user" }>;
  user: Me;
  tenant?: TenantRow;
  /** Required before any other request is answered. */
  pending?: Pending;
  /** A system administrator views the tenant: read-only, without its key. */
  isViewing: boolean;
  userEpoch: number;
  startedAt: string;
};

const sessionExpired = () => new AppError("session_expired", "Your session has ended. Please sign in again.");

type SessionClaims = Omit<Claims, "exp">;
type Rows = { session?: SessionRow; user?: UserRow; tenant?: TenantRow; openedIn?: SessionRow };

const read = async (ctx: ScopedContext<"accounts">, { sub, sid, tid, oid }: SessionClaims): Promise<Rows> => {
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

export const hasEnded = ({ endedAt, lastSeen, viewAs }: SessionRow, now: Date): boolean =>
  endedAt !== undefined ||
  now.getTime() - Date.parse(lastSeen) > idleSeconds * 1000 ||
  (viewAs !== undefined && now.getTime() >= Date.parse(viewAs.until));

/** The session that opened the view may be idle, but not signed out. */
const isOpenerSignedIn = ({ viewAs }: SessionRow, openedIn: SessionRow | undefined): boolean =>
  viewAs?.openedIn === undefined || (openedIn?.id === viewAs.openedIn && openedIn.endedAt === undefined);

/** Checks sign-out, idle time, deactivation, and role or password changes (epoch). */
const isValid = ({ session, user, tenant, openedIn }: Rows, claims: SessionClaims, now: Date): boolean => {
  if (!session || !user || session.userId !== claims.sub || session.tenantId !== claims.tid || hasEnded(session, now)) return false;
  if (!isOpenerSignedIn(session, openedIn)) return false;
  const mayReach = session.viewAs ? user.role === "system_admin" && session.viewAs.tenantId === claims.tid : user.tenantId === claims.tid;
  if (!mayReach || !user.isActive || user.epoch !== session.userEpoch) return false;
  return claims.tid === undefined || (tenant?.isActive === true && tenant.epoch === session.tenantEpoch);
};

/** A view is shown as the tenant's administrator. */
const meOf = (user: UserRow, tenant: TenantRow | undefined, { startedAt, viewAs }: SessionRow): Me => {
  const shown = asUser({ ...toDirectoryRow(user), lastLogin: startedAt }, tenant?.name);
  return viewAs && tenant
    ? { ...shown, role: "tenant_admin", tenantId: tenant.id, viewAs: { tenantId: tenant.id, tenantName: tenant.name, until: viewAs.until } }
    : shown;
};

/** For a browser that returns from another site without its token. One read. */
export async function findSessionUser(
  ctx: ScopedContext<"accounts">,
  { userId, sid, tenantId }: { userId: string; sid: string; tenantId?: string | undefined },
): Promise<UserRow | undefined> {
  const claims = { sub: userId, sid, tid: tenantId };
  const rows = await read(ctx, claims);
  return isValid(rows, claims, ctx.clock()) ? rows.user : undefined;
}

/**
 * One strongly consistent batch read, never cached. `activity` false does not extend the session. AppError `unauthenticated` or
 * `session_expired`.
 */
export async function checkSession(ctx: ScopedContext<"accounts">, token: string, activity: boolean): Promise<Session> {
  const claims = await verify(token);
  const rows = await read(ctx, claims);
  const now = ctx.clock();
  if (!isValid(rows, claims, now)) throw sessionExpired();
  const { session, user, tenant } = rows as Rows & { session: SessionRow; user: UserRow };
  if (activity && now.getTime() - Date.parse(session.lastSeen) >= lastSeenStepSeconds * 1000)
    await ctx.platform.writeUnaudited(
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
    user: meOf(user, tenant, session),
    tenant,
    pending: pendingNow(session, user, tenant),
    isViewing: viewAs !== undefined,
    userEpoch: user.epoch,
    startedAt: session.startedAt,
  };
}

/** Read again for a change. AppError `session_expired`. */
export async function ownAccount(ctx: AccountContext, { actor }: Session) {
  const account = await readAccount(ctx, actor.id, actor.tenantId);
  if (!account) throw sessionExpired();
  return account;
}

export type SignedInContext = AccountContext & { session: Session };

const environment = envReader(z.object({ SYSTEM_ADMIN_TOTP: z.optional(z.string()) }));

const requiredAction = (user: UserRow, tenant: TenantRow | undefined, byPlatform: boolean): Pending | undefined => {
  if (user.mustChangePassword) return "password_change";
  const isBare = user.totp?.confirmedAt === undefined;
  return isBare && (byPlatform || tenant?.policies?.requireTotp === true) ? "totp_enrolment" : undefined;
};

/** The platform's own requirement is known only at sign-in. */
export const pendingAtStart = (user: UserRow, tenant: TenantRow | undefined): Pending | undefined =>
  requiredAction(user, tenant, user.role === "system_admin" && environment().SYSTEM_ADMIN_TOTP === "required");

/** Applies changes by the user and of the tenant's policy at once. */
const pendingNow = ({ pending, viewAs }: SessionRow, user: UserRow, tenant: TenantRow | undefined): Pending | undefined =>
  viewAs ? undefined : requiredAction(user, tenant, pending === "totp_enrolment");
