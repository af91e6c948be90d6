import type { CallGrant } from "@vitaline/api-keys";
import type { Auth, Route } from "@vitaline/contract";
import type { Session } from "@vitaline/sessions";
import type { TenantContext, TenantRow } from "@vitaline/store";
import type { StoreScope, ScopedContext } from "@vitaline/store/scoped.ts";
import type { EhrContext } from "../context/ehr-context.ts";
import type { ContextFor, FunctionReach } from "../context/platform-context.ts";
import type { HttpEvent } from "../http/request.ts";

export type SessionContext<R extends FunctionReach = never> = CallerContext<R> & { session: Session };
export type TenantAdminContext = TenantContext & { session: Session & { tenant: TenantRow } };
/**
 * `header` takes a lower-case name. `keyUseWrite`: the record of the key's use, which never rejects; the answer waits for it, because Lambda freezes the process afterwards.
 * `call`: set when the caller presented a call token, which is limited to that call.
 */
export type ApiKeyContext = EhrContext & { keyUseWrite: Promise<void>; header(name: string): string | undefined; call?: CallGrant };

/** A voice platform that signed the request for one of the tenant's voice providers. */
export type HookContext = EhrContext & { voiceProviderId: string; header(name: string): string | undefined };

type CallerContext<R extends FunctionReach> = ContextFor<R> & { userAgent?: string };

/** The context of a handler, by the authentication that its route requires. `R`: what its function reaches outside the tenants. */
export type Contexts<R extends FunctionReach = never> = {
  public: CallerContext<R> & { cookies?: readonly string[]; ifNoneMatch?: string | undefined };
  user: SessionContext<R>;
  system_admin: SessionContext<R>;
  tenant_admin: TenantAdminContext;
  key: ApiKeyContext;
  signature: HookContext;
};

/**
 * Authenticates the caller and restricts the context to their rows. AppError `unauthenticated`, `session_expired`, `forbidden`.
 * `S`: the scopes that it reads.
 */
export type Authenticator<A extends Auth, S extends StoreScope> = (
  ctx: ScopedContext<S>,
  event: HttpEvent,
  route: Route,
) => Contexts[A] | Promise<Contexts[A]>;

/** A function's authenticators. `signedIn` identifies the user without checking permissions. */
export type Authenticators<S extends StoreScope> = { [A in Auth]?: Authenticator<A, S> } & { signedIn?: Authenticator<"user", S> };
