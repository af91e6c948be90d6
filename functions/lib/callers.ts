import { verifyApiKey } from "@vitaline/api-keys";
import type { Auth, Route } from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import { checkSession, type Session } from "@vitaline/sessions";
import type { TenantContext, TenantRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { asActor, inTenant } from "./context.ts";
import { withEhr, type EhrContext } from "./ehr.ts";
import type { HttpEvent } from "./event.ts";

export type SessionContext = PlatformContext & { session: Session };
export type TenantAdminContext = TenantContext & { session: Session & { tenant: TenantRow } };
export type KeyContext = EhrContext & { keyId: string };

/** What a handler gets, by who may call its route. */
export type Contexts = {
  public: PlatformContext;
  user: SessionContext;
  system_admin: SessionContext;
  tenant_admin: TenantAdminContext;
  key: KeyContext;
};

/** Proves the caller and narrows the context to what they may reach. AppError `unauthenticated`, `session_expired`, `forbidden`. */
export type Caller<A extends Auth> = (ctx: PlatformContext, event: HttpEvent, route: Route) => Contexts[A] | Promise<Contexts[A]>;

const bearer = (event: HttpEvent): string | undefined => /^Bearer +(\S+) *$/i.exec(event.headers["authorization"] ?? "")?.[1];

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
export const people = { public: (ctx: PlatformContext) => ctx, user: signedIn, system_admin: systemAdmin, tenant_admin: tenantAdmin };

/** An `Authorization` in another form is a wrong key, not an absent one. */
const presentedKeys = (event: HttpEvent): string[] =>
  [event.headers["authorization"] && (bearer(event) ?? "malformed"), event.headers["x-api-key"], event.headers["x-vapi-secret"]].filter(
    (key) => key !== undefined && key !== "",
  ) as string[];

const keyHolder: Caller<"key"> = async (ctx, event) => {
  const { tenantId, keyId } = await verifyApiKey(ctx, presentedKeys(event));
  return { ...withEhr(asActor(ctx, { kind: "api_key", id: keyId, tenantId }), tenantId), keyId };
};

/** Voice platforms, which present a tenant's API key. */
export const keyHolders = { key: keyHolder };
