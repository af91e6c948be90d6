import type { ColleagueChanges, NewColleague, User } from "@vitaline/contract";
import { AppError, inBatches, isAppError } from "@vitaline/core";
import { allRows, check, countWithinHour, keys, type Page, type TenantContext, type UserDirectoryRow, type Write } from "@vitaline/store";
import type { AccountContext } from "@vitaline/store/scoped.ts";
import { type Team, tenantNameOf } from "./account.ts";
import { createUser, resendInvite } from "./create.ts";
import { asUser } from "./directory.ts";
import { resetPassword } from "./password-reset.ts";
import { updateUser } from "./update.ts";

/** An administrator of the tenant acts. */
export type TeamContext = TenantContext & AccountContext;

const defaultPageSize = 200;

/** Oldest first. One Query, two batch reads per 100 users. */
export async function listTeam(
  ctx: TeamContext,
  { limit = defaultPageSize, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): Promise<Page<User>> {
  const { tenantId } = ctx;
  const { rows, next } = await ctx.store.query<UserDirectoryRow>(keys.tenantPartitions.users(tenantId), { limit, cursor });
  const ids = rows.map(({ id }) => id);
  // Sign-ins write the platform's directory alone.
  const [entries, locks, tenantName] = await Promise.all([
    inBatches(ids, (some) => ctx.platform.batchGet(some.map((id) => keys.userDirectory(id)))),
    inBatches(ids, (some) => ctx.platform.batchGet(some.map((id) => keys.lockNotice(id)))),
    tenantNameOf(ctx, { tenantId }),
  ]);
  const now = ctx.clock().toISOString();
  const lockOf = (until: string | undefined): string | undefined => (until !== undefined && until > now ? until : undefined);
  return { rows: rows.map((row, at) => asUser({ ...row, lastLogin: entries[at]?.lastLogin }, tenantName, lockOf(locks[at]?.until))), next };
}

const maxInvitationsAnHour = 30;

/** The answer tells whether an address has an account, and the mail goes to any address: so refused ones are counted as well. */
async function countInvitation(ctx: TeamContext): Promise<void> {
  const keyOf = (hour: string) => keys.throttle("invitation", ctx.tenantId, hour);
  const refusal = "Your organization has sent many invitations in the last hour. Please try again later.";
  await countWithinHour(ctx.platform, keyOf, { limit: maxInvitationsAnHour, now: ctx.clock(), refusal });
}

/** An address that is taken is audited as refused. AppErrors as createUser; `too_many_requests`. */
export async function inviteColleague(ctx: TeamContext, { access, ...person }: NewColleague): Promise<User> {
  await countInvitation(ctx);
  try {
    return await createUser(ctx, { ...person, role: "tenant_admin", tenantId: ctx.tenantId, access, invite: true });
  } catch (error) {
    if (!isAppError(error, "duplicate")) throw error;
    await ctx.store.commit([], {
      category: "configuration_change",
      action: "user.create",
      resourceType: "User",
      success: false,
      code: "duplicate",
    });
    throw await cannotInvite(ctx, person.email, error);
  }
}

/** Says what to do, and of an account elsewhere nothing but that the address is taken. */
async function cannotInvite(ctx: TeamContext, email: string, cause: unknown): Promise<AppError> {
  const team = await allRows<UserDirectoryRow>(ctx.store, keys.tenantPartitions.users(ctx.tenantId));
  const colleague = team.find((one) => one.email === email);
  const message = !colleague
    ? "This address cannot be invited, as it has an account already. Please use another address, or ask support under Requests."
    : colleague.isActive
      ? "This colleague is on your team already. To resend an open invitation, choose Edit in the list."
      : "This colleague was removed from your team. Please choose Edit in the list, then Restore.";
  return new AppError("duplicate", message, { cause, fields: { email: message } });
}

const ownAccess = () =>
  new AppError(
    "not_doable",
    "You cannot change your own access or remove yourself. Please ask another administrator of your organization.",
  );

/**
 * The acting administrator stays one in the same transaction, so that of two who remove each other one stays: a tenant never loses its
 * last administrator through its own team.
 */
const actorStaysAdministrator = ({ actor, tenantId }: TeamContext): Write =>
  check(keys.user(actor.id), { exists: true, equals: { isActive: true, role: "tenant_admin", tenantId }, absent: ["access"] });

const teamOf = (ctx: TeamContext): Team => ({ ofTenant: ctx.tenantId, alongside: [actorStaysAdministrator(ctx)] });

/** AppError `not_found` for a user of another tenant, `not_doable` for one's own access, `stale_version`. */
export async function changeColleague(ctx: TeamContext, userId: string, changes: ColleagueChanges, ifMatch?: number): Promise<User> {
  const { tenantId: ofTenant } = ctx;
  const isOneself = ctx.actor.id === userId;
  if (isOneself && ((changes.access ?? "administrator") !== "administrator" || changes.isActive === false)) throw ownAccess();
  return updateUser(ctx, userId, changes, ifMatch, isOneself ? { ofTenant, alongside: [] } : teamOf(ctx));
}

/**
 * Turns the second factor off. The password alone would then be enough to sign in, so it is reset as well, with a mailed
 * link. Ends their sessions. AppErrors as resetPassword; `not_found` for a user of another tenant.
 */
export const resetTotpOfColleague = (ctx: TeamContext, userId: string): Promise<User> =>
  resetPassword(ctx, userId, { removeTotp: true }, teamOf(ctx));

/** AppErrors as resendInvite; `too_many_requests`. */
export async function resendColleagueInvite(ctx: TeamContext, userId: string): Promise<User> {
  await countInvitation(ctx);
  return resendInvite(ctx, userId, ctx.tenantId);
}
