import type { Credentials, SignedIn, User } from "@vitaline/contract";
import { allDone, AppError, newId } from "@vitaline/core";
import { create, keys, update, type SessionRow, type TenantRow, type UserRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { asUser, passwordMatches } from "@vitaline/users";
import { clearAttempts, countFailure, takeAttempt } from "./throttle.ts";
import { absoluteSeconds, issueToken } from "./token.ts";

const refused = () => new AppError("invalid_credentials", "Email or password is not correct.");

type Account = { user: UserRow; tenant?: TenantRow };

/** Nobody's id: an unknown address costs the same reads as a known one. */
const nobody = "0".repeat(26);

const accountOf = async (ctx: PlatformContext, email: string): Promise<Account | undefined> => {
  const [claim] = await allDone([ctx.platform.get(keys.email(email)), ...takeAttempt(ctx, email)]);
  const tenantId = claim?.tenantId;
  const userKey = keys.user(claim?.userId ?? nobody);
  const [user, tenant] = tenantId
    ? await ctx.platform.inTenant(tenantId).batchGet([userKey, keys.tenantConfig()])
    : await ctx.platform.batchGet([userKey]);
  return user && { user, tenant };
};

const mayEnter = ({ user, tenant }: Account): boolean => user.isActive && (user.tenantId === undefined || tenant?.isActive === true);

/** The signed-in user as answers show it. */
export const userOf = (
  { passwordHash: _hash, epoch: _epoch, ...profile }: UserRow,
  tenant: TenantRow | undefined,
  lastLogin: string,
): User => asUser({ ...profile, tenantName: tenant?.name, lastLogin });

/**
 * Signs a person in: three round trips to the table, one password hash whether or not the account exists.
 * AppError `invalid_credentials` for every reason to refuse, `too_many_requests` when guessing.
 */
export async function login(ctx: PlatformContext, { email, password }: Credentials): Promise<SignedIn> {
  const account = await accountOf(ctx, email);
  const matches = await passwordMatches(password, account?.user.passwordHash);
  if (!account || !matches || !mayEnter(account)) {
    await countFailure(ctx, email);
    const store = account?.user.tenantId ? ctx.platform.inTenant(account.user.tenantId) : ctx.platform;
    await store.commit([], {
      category: "configuration_change",
      action: "session.login",
      resourceType: "User",
      resourceId: account?.user.id,
      success: false,
      code: "invalid_credentials",
    });
    throw refused();
  }
  return open(ctx, account);
}

const open = async (ctx: PlatformContext, { user, tenant }: Account): Promise<SignedIn> => {
  const now = ctx.clock();
  const at = now.toISOString();
  const sid = newId(now.getTime());
  const session: SessionRow = {
    userId: user.id,
    tenantId: user.tenantId,
    userEpoch: user.epoch,
    tenantEpoch: tenant?.epoch ?? 0,
    startedAt: at,
    lastSeen: at,
    expiresAt: Math.floor(now.getTime() / 1000) + absoluteSeconds,
  };
  const byUser = ctx.platform.as({ kind: "user", id: user.id, role: user.role, tenantId: user.tenantId });
  const store = user.tenantId ? byUser.inTenant(user.tenantId) : byUser;
  const token = await issueToken({ sub: user.id, sid, tid: user.tenantId }, now);
  await store.commit(
    [
      create(keys.session(sid), session),
      update(keys.userDirectory(user.id), { set: { lastLogin: at } }, { exists: true }),
      clearAttempts(ctx, user.email),
    ],
    { category: "configuration_change", action: "session.login", resourceType: "User", resourceId: user.id },
  );
  return { token, user: userOf(user, tenant, at) };
};
