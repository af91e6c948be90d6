import { AppError } from "@vitaline/core";
import { contract, type Pending, type Route } from "@vitaline/contract";
import { checkSession, type Session } from "@vitaline/sessions";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { bearer, type Caller, type Callers, type SessionContext } from "./callers.ts";
import { asActor, inTenant } from "./context.ts";
import type { HttpEvent } from "./event.ts";
import { readInput } from "./read-input.ts";

const { logout, changePassword, enrollTotp, confirmTotp } = contract.auth;
/** What somebody may ask who first has to do something else. */
const whilePending: Record<Pending, readonly Route[]> = {
  password_change: [changePassword, logout],
  totp_enrolment: [enrollTotp, confirmTotp, logout],
};
const sentences: Record<Pending, string> = {
  password_change: "Please choose a new password first.",
  totp_enrolment: "Please set up two-factor sign-in first.",
};

/** Who views as a tenant sees what its administrator sees, except for its key, which would outlast the view and which these hold. */
const withKey: readonly Route[] = [contract.tenant.tenantInfo, contract.tools.snippets];
/** Unless it is asked to leave the key out, read just as the verb will read it. */
const holdsKey = (event: HttpEvent, route: Route): boolean =>
  withKey.includes(route) && (readInput(route, event).query as { withKey?: boolean }).withKey !== false;

/** AppError `password_change_required`, `totp_enrolment_required`, `read_only`, `forbidden`. */
const refuseRestricted = ({ pending, isViewing }: Session, event: HttpEvent, route: Route): void => {
  if (pending && !whilePending[pending].includes(route)) throw new AppError(`${pending}_required`, sentences[pending]);
  if (!isViewing || route === logout) return;
  if (route.method !== "GET") throw new AppError("read_only", "Nothing can be changed while you view as a tenant.");
  if (holdsKey(event, route)) throw new AppError("forbidden", "A tenant's API key is not shown while you view as the tenant.");
};

const userAgentOf = ({ headers }: HttpEvent): string | undefined => headers["user-agent"];

/** Who it is, whatever they may do. AppError `unauthenticated`, `session_expired`. */
const signedIn = async (ctx: PlatformContext, event: HttpEvent, route: Route): Promise<SessionContext> => {
  const token = bearer(event);
  if (!token) throw new AppError("unauthenticated", "Please sign in.");
  const session = await checkSession(ctx, token, route.activity !== false);
  return { ...asActor(ctx, session.actor), session, userAgent: userAgentOf(event) };
};

const user: Caller<"user"> = async (ctx, event, route) => {
  const theirs = await signedIn(ctx, event, route);
  refuseRestricted(theirs.session, event, route);
  return theirs;
};

const forbidden = () => new AppError("forbidden", "Your role does not allow this.");

const systemAdmin: Caller<"system_admin"> = async (...request) => {
  const ctx = await user(...request);
  if (ctx.session.actor.role !== "system_admin") throw forbidden();
  return ctx;
};

const tenantAdmin: Caller<"tenant_admin"> = async (...request) => {
  const { session, ...ctx } = await user(...request);
  const { tenant } = session;
  if (session.actor.role !== "tenant_admin" || !tenant) throw forbidden();
  return { ...inTenant(ctx, tenant.id), session: { ...session, tenant } };
};

/** People in a browser, and those who need not say who they are. */
export const people = {
  public: (ctx: PlatformContext, event: HttpEvent) => ({ ...ctx, userAgent: userAgentOf(event), cookies: event.cookies ?? [] }),
  signedIn,
  user,
  system_admin: systemAdmin,
  tenant_admin: tenantAdmin,
} satisfies Callers;
