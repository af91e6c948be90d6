import { AppError } from "@vitaline/core";
import type { Route } from "@vitaline/contract";
import { checkSession } from "@vitaline/sessions";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { bearer, type Caller, type Callers, type SessionContext } from "./callers.ts";
import { asActor, inTenant } from "./context.ts";
import type { HttpEvent } from "./event.ts";

const signedIn = async (ctx: PlatformContext, event: HttpEvent, { activity }: Route): Promise<SessionContext> => {
  const token = bearer(event);
  if (!token) throw new AppError("unauthenticated", "Please sign in.");
  const session = await checkSession(ctx, token, activity !== false);
  return { ...asActor(ctx, session.actor), session };
};

const forbidden = () => new AppError("forbidden", "Your role does not allow this.");

const systemAdmin: Caller<"system_admin"> = async (...request) => {
  const ctx = await signedIn(...request);
  if (ctx.session.actor.role !== "system_admin") throw forbidden();
  return ctx;
};

const tenantAdmin: Caller<"tenant_admin"> = async (...request) => {
  const { session, ...ctx } = await signedIn(...request);
  const { tenant } = session;
  if (session.actor.role !== "tenant_admin" || !tenant) throw forbidden();
  return { ...inTenant(ctx, tenant.id), session: { ...session, tenant } };
};

/** People in a browser, and those who need not say who they are. */
export const people = {
  public: (ctx: PlatformContext) => ctx,
  user: signedIn,
  system_admin: systemAdmin,
  tenant_admin: tenantAdmin,
} satisfies Callers;
