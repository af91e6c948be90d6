import { AppError, notFound } from "@vitaline/core";
import { keys } from "@vitaline/store";
import { openSession, shortUserAgent } from "./open.ts";
import type { SignedInContext } from "./check.ts";

const viewSeconds = 15 * 60;

/**
 * A session in which a system administrator sees a tenant's console as its administrator does: 15 minutes or until they
 * sign out of the session that it is opened in, and nothing can be changed. Its start and all that it reads with an audit stand in the tenant's log under the administrator's id and name.
 * AppError `not_found`, `not_doable` for an inactive tenant.
 */
export async function viewAs(
  ctx: SignedInContext & { userAgent?: string },
  tenantId: string,
): Promise<{ token: string; expiresAt: string }> {
  const { actor, user, userEpoch, sid } = ctx.session;
  const inTenant = ctx.platform.inTenant(tenantId);
  const tenant = await inTenant.get(keys.tenantConfig());
  if (!tenant) throw notFound();
  if (!tenant.isActive) throw new AppError("not_doable", "This organization is inactive: nobody can see its console.");
  const until = new Date(ctx.clock().getTime() + viewSeconds * 1000).toISOString();
  const more = { viewAs: { tenantId, until, openedIn: sid }, userAgent: shortUserAgent(ctx.userAgent) };
  const { write, token } = await openSession(ctx, { user: { id: actor.id, epoch: userEpoch }, tenant }, more, viewSeconds);
  await inTenant.commit([write], {
    category: "configuration_change",
    action: "session.viewAs",
    resourceType: "Tenant",
    resourceId: tenantId,
    detail: { viewAs: tenantId, viewAsBy: `${user.firstName} ${user.lastName}` },
  });
  return { token, expiresAt: until };
}
