import {
  accounts,
  apiKeys,
  mayCall,
  type Pending,
  type Route,
  routeKey,
  sessions,
  snippets,
  tenant as tenantRoutes,
} from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import { checkSession, type Session } from "@vitaline/sessions";
import type { ScopedContext } from "@vitaline/store/scoped.ts";
import { bindInvocationToTenant } from "@vitaline/tenant-access";
import { asActor, inTenant } from "../context/platform-context.ts";
import { type HttpEvent, readInput, bearer } from "../http/request.ts";
import type { Authenticator, Authenticators, SessionContext } from "./types.ts";

const { logout } = sessions;
const { changePassword, enrollTotp, confirmTotp } = accounts;
/** Routes that stay open while the user has a pending action. */
const routesWhilePending: Record<Pending, readonly Route[]> = {
  password_change: [changePassword, logout],
  totp_enrolment: [enrollTotp, confirmTotp, logout],
};
const pendingMessages: Record<Pending, string> = {
  password_change: "Please choose a new password first.",
  totp_enrolment: "Please set up two-factor sign-in first.",
};

/** Their answers can include the API key, which would outlast a view as the tenant, and is not for staff and auditors. */
const routesWithKey: readonly Route[] = [tenantRoutes.tenantInfo, snippets.snippets];
const asksForKey = (event: HttpEvent, route: Route): boolean =>
  routesWithKey.includes(route) && (readInput(route, event).query as { withKey?: boolean }).withKey !== false;

/** AppError `password_change_required`, `totp_enrolment_required`, `read_only`, `forbidden`. */
const checkRestrictions = ({ pending, isViewing }: Session, event: HttpEvent, route: Route): void => {
  if (pending && !routesWhilePending[pending].includes(route)) throw new AppError(`${pending}_required`, pendingMessages[pending]);
  if (!isViewing || route === logout) return;
  if (route.method !== "GET") throw new AppError("read_only", "Nothing can be changed while you view as a tenant.");
  if (asksForKey(event, route)) throw new AppError("forbidden", "A tenant's API key is not shown while you view as the tenant.");
};

const userAgentOf = ({ headers }: HttpEvent): string | undefined => headers["user-agent"];

const signedIn = async (ctx: ScopedContext<"accounts">, event: HttpEvent, route: Route): Promise<SessionContext> => {
  const token = bearer(event);
  if (!token) throw new AppError("unauthenticated", "Please sign in.");
  const session = await checkSession(ctx, token, route.activity !== false);
  if (session.tenant) bindInvocationToTenant(session.tenant.id);
  return { ...asActor(ctx, session.actor), session, userAgent: userAgentOf(event) };
};

const user: Authenticator<"user", "accounts"> = async (ctx, event, route) => {
  const userCtx = await signedIn(ctx, event, route);
  checkRestrictions(userCtx.session, event, route);
  return userCtx;
};

const accessForbidden = () =>
  new AppError("forbidden", "Your access does not allow this. Please ask an administrator of your organization.");
/** Open to those who may see the API key. */
const keyRoute = routeKey(apiKeys.listApiKeys);

const forbidden = () => new AppError("forbidden", "Your role does not allow this.");

const systemAdmin: Authenticator<"system_admin", "accounts"> = async (...request) => {
  const ctx = await user(...request);
  if (ctx.session.actor.role !== "system_admin") throw forbidden();
  return ctx;
};

const tenantAdmin: Authenticator<"tenant_admin", "accounts"> = async (...request) => {
  const { session, ...ctx } = await user(...request);
  const { tenant } = session;
  if (session.actor.role !== "tenant_admin" || !tenant) throw forbidden();
  const { access } = session.user;
  const [, event, route] = request;
  if (!mayCall(access, routeKey(route)) || (!mayCall(access, keyRoute) && asksForKey(event, route))) throw accessForbidden();
  return { ...inTenant(ctx, tenant.id), session: { ...session, tenant } };
};

/** Browser users, signed in or not. */
export const sessionAuth = {
  public: (ctx: ScopedContext<"accounts">, event: HttpEvent) => ({ ...ctx, userAgent: userAgentOf(event), cookies: event.cookies ?? [] }),
  signedIn,
  user,
  system_admin: systemAdmin,
  tenant_admin: tenantAdmin,
} satisfies Authenticators<"accounts">;
