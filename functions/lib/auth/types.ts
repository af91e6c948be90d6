import type { CallGrant } from "@vitaline/api-keys";
import type { Auth, Route } from "@vitaline/contract";
import type { PublicContext, Session } from "@vitaline/sessions";
import type { TenantContext, TenantRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import type { EhrContext } from "../context/ehr-context.ts";
import type { HttpEvent } from "../http/event.ts";

export type SessionContext = PublicContext & { session: Session };
export type TenantAdminContext = TenantContext & { session: Session & { tenant: TenantRow } };
/**
 * `header` takes a lower-case name. `pendingWrite`: the record of the key's use, which never rejects; the answer waits for it, because Lambda freezes the process afterwards.
 * `call`: set when the caller presented a call token, which is limited to that call.
 */
export type KeyContext = EhrContext & { pendingWrite: Promise<void>; header(name: string): string | undefined; call?: CallGrant };

/** A voice platform that signed the request for one of the tenant's voice providers. */
export type HookContext = EhrContext & { voiceProviderId: string; header(name: string): string | undefined };

/** The context of a handler, by the authentication that its route requires. */
export type Contexts = {
  public: PublicContext & { cookies?: readonly string[]; ifNoneMatch?: string | undefined };
  user: SessionContext;
  system_admin: SessionContext;
  tenant_admin: TenantAdminContext;
  key: KeyContext;
  signature: HookContext;
};

/** Authenticates the caller and restricts the context to their rows. AppError `unauthenticated`, `session_expired`, `forbidden`. */
export type Authenticator<A extends Auth> = (ctx: PlatformContext, event: HttpEvent, route: Route) => Contexts[A] | Promise<Contexts[A]>;

/** A function's authenticators. `signedIn` identifies the user without checking permissions. */
export type Authenticators = { [A in Auth]?: Authenticator<A> } & { signedIn?: Authenticator<"user"> };

/** The credential of an `Authorization: Bearer` header. */
export const bearer = (event: HttpEvent): string | undefined => /^Bearer +(\S+) *$/i.exec(event.headers["authorization"] ?? "")?.[1];
