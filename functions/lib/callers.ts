import type { CallGrant } from "@vitaline/api-keys";
import type { Auth, Route } from "@vitaline/contract";
import type { PublicContext, Session } from "@vitaline/sessions";
import type { TenantContext, TenantRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import type { EhrContext } from "./ehr.ts";
import type { HttpEvent } from "./event.ts";

export type SessionContext = PublicContext & { session: Session };
export type TenantAdminContext = TenantContext & { session: Session & { tenant: TenantRow } };
/**
 * `header` takes a name in lower case. `alongside` never fails and is over before the answer leaves: Lambda stops what goes on after it.
 * `call`: with a call's token in place of the tenant's key, only that call is theirs.
 */
export type KeyContext = EhrContext & { alongside: Promise<void>; header(name: string): string | undefined; call?: CallGrant };

/** A voice platform that has signed for one of the tenant's voice providers; `header` as above. */
export type HookContext = EhrContext & { voiceProviderId: string; header(name: string): string | undefined };

/** What a handler gets, by who may call its route. */
export type Contexts = {
  /** `ifNoneMatch`: the tags of what the asker has already. */
  public: PublicContext & { cookies?: readonly string[]; ifNoneMatch?: string | undefined };
  user: SessionContext;
  system_admin: SessionContext;
  tenant_admin: TenantAdminContext;
  key: KeyContext;
  signature: HookContext;
};

/** Proves the caller and narrows the context to what they may reach. AppError `unauthenticated`, `session_expired`, `forbidden`. */
export type Caller<A extends Auth> = (ctx: PlatformContext, event: HttpEvent, route: Route) => Contexts[A] | Promise<Contexts[A]>;

/** Whom a function can tell: one for each kind of route that it serves, and who is signed in, whatever they are kept from. */
export type Callers = { [A in Auth]?: Caller<A> } & { signedIn?: Caller<"user"> };

/** The credential of an `Authorization: Bearer` header. */
export const bearer = (event: HttpEvent): string | undefined => /^Bearer +(\S+) *$/i.exec(event.headers["authorization"] ?? "")?.[1];
