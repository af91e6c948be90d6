import { envReader } from "@vitaline/core";
import * as z from "zod/mini";
import { assumeRole, type Credentials } from "./assume-role.ts";
import { AsyncLocalStorage } from "node:async_hooks";

const acting = new AsyncLocalStorage<{ tenantId?: string }>();

/** Runs an invocation, which acts for no tenant until `bindInvocationToTenant` binds it to one. */
export const withTenantBinding = <T>(serve: () => Promise<T>): Promise<T> => acting.run({}, serve);

/** From now on the invocation may act for this tenant alone: its caller belongs to it, or has its signature checked next. */
export function bindInvocationToTenant(tenantId: string): void {
  requireActingFor(tenantId);
  const invocation = acting.getStore();
  if (invocation) invocation.tenantId = tenantId;
}

function requireActingFor(tenantId: string): void {
  const current = acting.getStore()?.tenantId;
  if (current !== undefined && current !== tenantId) throw new Error("This invocation acts for another tenant");
}

/** Set for functions whose own role has no right to a tenant's data. */
const environment = envReader(z.object({ TENANT_ROLE_ARN: z.optional(z.string()) }));

export const hasTenantRole = (): boolean => environment().TENANT_ROLE_ARN !== undefined;

type Session = { credentials: () => Promise<Credentials>; startedMs: number; clients: Map<object, unknown> };

/** The longest that AWS allows to a role that assumes a role. A session is used for 45 minutes, so that none ends during a request. */
const sessionSeconds = 3600;
const usedMs = 45 * 60_000;
const maxSessions = 100;

/** The least recently used first. */
const sessions = new Map<string, Session>();

function sessionOf(tenantId: string, RoleArn: string): Session {
  requireActingFor(tenantId);
  const known = sessions.get(tenantId);
  sessions.delete(tenantId);
  const session = known && Date.now() - known.startedMs < usedMs ? known : newSession(tenantId, RoleArn);
  sessions.set(tenantId, session);
  for (const [oldest] of sessions) {
    if (sessions.size <= maxSessions) break;
    sessions.delete(oldest);
  }
  return session;
}

/** The role's policies read the tenant from the tag; the session's name shows it in CloudTrail. */
function newSession(tenantId: string, RoleArn: string): Session {
  let assumed: Promise<Credentials> | undefined;
  const credentials = () =>
    (assumed ??= assumeRole(RoleArn, { key: "tenantId", value: tenantId }, sessionSeconds).catch((error: unknown) => {
      assumed = undefined;
      throw error;
    }));
  return { credentials, startedMs: Date.now(), clients: new Map() };
}

type AnyClient = { config: { requestHandler: unknown } };
type SessionConfig<C extends AnyClient> = { credentials: Session["credentials"]; requestHandler: C["config"]["requestHandler"] };

/**
 * The clients of one service: with a tenant that of its session, without one the function's own, which is also the tenant's where the
 * function has no role for tenants. All share the connections of the function's own.
 */
export function clientsPerTenant<C extends AnyClient>(create: (session?: SessionConfig<C>) => C): (tenantId: string | undefined) => C {
  let own: C | undefined;
  const ownClient = (): C => (own ??= create());
  return (tenantId) => {
    const { TENANT_ROLE_ARN: roleArn } = environment();
    if (tenantId === undefined || roleArn === undefined) return ownClient();
    const { credentials, clients } = sessionOf(tenantId, roleArn);
    const known = clients.get(create) as C | undefined;
    if (known) return known;
    const made = create({ credentials, requestHandler: ownClient().config.requestHandler });
    clients.set(create, made);
    return made;
  };
}
