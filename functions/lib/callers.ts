import type { Auth, Route } from "@vitaline/contract";
import type { Session } from "@vitaline/sessions";
import type { TenantContext, TenantRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import type { EhrContext } from "./ehr.ts";
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

/** Whom a function can tell: one for each kind of route that it serves. */
export type Callers = { [A in Auth]?: Caller<A> };

/** The credential of an `Authorization: Bearer` header. */
export const bearer = (event: HttpEvent): string | undefined => /^Bearer +(\S+) *$/i.exec(event.headers["authorization"] ?? "")?.[1];
