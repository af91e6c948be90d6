import { AppError, notFound } from "@vitaline/core";
import { keys } from "@vitaline/store";
import type { SignedInContext } from "./check.ts";
import { openSession, shortUserAgent } from "./open.ts";

const viewSeconds = 15 * 60;

/**
 * A read-only session in a tenant's console, for 15 minutes or until the administrator signs out. Audited in the tenant's log under
 * the administrator's id and name. AppError `not_found`, `not_doable` for an inactive tenant.
 */
export async function viewAs(
  ctx: SignedInContext & { userAgent?: string },
  tenantId: string,
): Promise<{ token: string; expiresAt: string }> {
  const { actor, user, userEpoch, sid } = ctx.session;
  const inTenant = ctx.platform.inTenant(tenantId);
  const tenant = await inTenant.get(keys.tenantConfig());
  if (!tenant) throw notFound();
  if (!tenant.isActive) throw new AppError("not_doable", "This organization is inactive. Please activate it first.");
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
