import type { Route } from "@vitaline/contract";
import { routeKey } from "@vitaline/contract";
import { errorFields, isAppError } from "@vitaline/core";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import type { Callers } from "./callers.ts";
import type { HttpEvent } from "./event.ts";

/**
 * Audits that a signed-in user was refused what their role does not allow, or a change while they view as a tenant, in their
 * tenant's log or the platform's. Who it was is asked once more, as a refusal does not say. Source: OWASP ASVS 5, 16.3.2. The
 * refusal stands also where this fails.
 */
export async function auditRefusal(ctx: PlatformContext, callers: Callers, event: HttpEvent, route: Route, error: unknown): Promise<void> {
  if (!isAppError(error, "forbidden", "read_only") || !callers.signedIn) return;
  try {
    const { platform, session } = await callers.signedIn(ctx, event, { ...route, activity: false });
    const store = session.actor.tenantId ? platform.inTenant(session.actor.tenantId) : platform;
    await store.commit([], {
      category: "api_call",
      action: "access.refuse",
      resourceType: "Route",
      resourceId: routeKey(route),
      success: false,
      code: error.code,
    });
  } catch (failure) {
    if (!isAppError(failure, "unauthenticated", "session_expired")) ctx.log("error", "refusal.unaudited", errorFields(failure));
  }
}
