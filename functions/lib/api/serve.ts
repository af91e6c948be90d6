import { readAppSecrets } from "@vitaline/aws";
import { routeKey, type Auth, type InputOf, type ResponseOf, type Route, type Routes } from "@vitaline/contract/http/route.ts";
import { AppError, type ErrorCode, errorFields, isAppError, notFound } from "@vitaline/core";
import type { StoreScope, ScopedContext } from "@vitaline/store/scoped.ts";
import { withTenantBinding } from "@vitaline/tenant-access";
import * as z from "zod/mini";
import type { Authenticator, Authenticators, Contexts } from "../auth/types.ts";
import { contextFor, type Invocation, type FunctionReach } from "../context/platform-context.ts";
import { cameThroughEdge, clientOf, type HttpAnswer, type HttpEvent, readInput } from "../http/request.ts";
import { json, jsonRpcParseError, problem, readReply, type Reply } from "../http/response.ts";

/**
 * Handlers by operation. Each gets the caller's context and the parsed request, and returns the contract's response. `Reaches`: what
 * they need outside the tenants.
 */
export type Handlers<R extends Routes, Reaches extends FunctionReach = never> = {
  [Operation in keyof R]: (
    ctx: Contexts<Reaches>[R[Operation]["auth"]],
    input: InputOf<R[Operation]>,
  ) => Promise<ResponseOf<R[Operation]> | Reply<ResponseOf<R[Operation]>>>;
};
type Handler = (ctx: unknown, input: ReturnType<typeof readInput>) => Promise<unknown>;

type BoundRoute = {
  route: Route;
  handler: Handler;
  authenticate: Authenticator<Auth, StoreScope>;
  authenticators: Authenticators<StoreScope>;
};

/**
 * Serves one group of routes as a Lambda function: edge check, authentication, limits, parsing, one log line, and answers
 * restricted to the fields of the contract. `reach`: the rows outside the tenants that the function may touch.
 */
export const serve =
  <const R extends Routes, const Reaches extends FunctionReach>(
    routes: R,
    authenticators: Authenticators<Reaches extends "platform" ? StoreScope : Reaches>,
    reach: readonly Reaches[],
  ) =>
  (handlers: Handlers<R, Reaches>) => {
    // TypeScript cannot tell that `reach` covers the scopes of the authenticators.
    const known = authenticators as Authenticators<StoreScope>;
    const bound = new Map(
      Object.entries(routes).map(([operation, route]): [string, BoundRoute] => [
        routeKey(route),
        { route, handler: handlers[operation] as Handler, authenticate: authenticatorFor(known, route), authenticators: known },
      ]),
    );
    return async (event: HttpEvent, invocation: Invocation): Promise<HttpAnswer> => {
      const started = performance.now();
      const secretsFailure = await readAppSecrets().catch((error: unknown) => ({ error }));
      const throughEdge = secretsFailure === undefined && cameThroughEdge(event);
      const request = {
        requestId: invocation.awsRequestId,
        remainingMs: invocation.getRemainingTimeInMillis(),
        ...clientOf(event, throughEdge),
      };
      const ctx = contextFor(request, { kind: "nobody", id: "anonymous" }, reach) as ScopedContext<StoreScope>;
      const answer = await withTenantBinding(() => answerTo(ctx, event, bound.get(event.routeKey), { throughEdge, secretsFailure }));
      ctx.log("info", "request.answered", {
        route: event.routeKey,
        status: answer.statusCode,
        ms: Math.round(performance.now() - started),
      });
      return answer;
    };
  };

const authenticatorFor = (authenticators: Authenticators<StoreScope>, route: Route): Authenticator<Auth, StoreScope> => {
  const authenticate = authenticators[route.auth];
  if (!authenticate) throw new Error(`${routeKey(route)} requires ${route.auth}, which this function cannot authenticate`);
  return authenticate as Authenticator<Auth, StoreScope>;
};

const signInRefusals: ErrorCode[] = ["unauthenticated", "invalid_credentials"];
/** An expired session does not count as a refused sign-in, nor does the limit of another route. */
const isRefusedAuthentication = (error: unknown, { path }: Route): boolean =>
  isAppError(error, ...signInRefusals) || (isAppError(error, "too_many_requests") && path.startsWith("/api/auth/"));

const answerTo = async (
  ctx: ScopedContext<StoreScope>,
  event: HttpEvent,
  bound: BoundRoute | undefined,
  { throughEdge, secretsFailure }: { throughEdge: boolean; secretsFailure: { error: unknown } | void },
): Promise<HttpAnswer> => {
  try {
    if (secretsFailure) throw secretsFailure.error;
    if (!bound) throw notFound();
    const { route, handler, authenticate } = bound;
    // Past CloudFront there is no firewall.
    if (!throughEdge) throw new AppError("forbidden", "Please use the public address of this service.");
    const callerCtx = await authenticate(ctx, event, route);
    try {
      return success(ctx, event, route, await handler(callerCtx, readInput(route, event)));
    } finally {
      if ("keyUseWrite" in callerCtx) await callerCtx.keyUseWrite;
    }
  } catch (error) {
    if (!isAppError(error)) ctx.log("error", "request.failed", { route: event.routeKey, count: 1, ...errorFields(error) });
    else
      ctx.log("warn", "request.refused", {
        route: event.routeKey,
        code: error.code,
        ...(error.cause === undefined ? {} : { errorName: errorFields(error.cause).errorName }),
      });
    if (bound && isAppError(error) && isRefusedAuthentication(error, bound.route))
      ctx.log("warn", "authentication.refused", { operation: bound.route.auth, code: error.code, count: 1 });
    if (bound && throughEdge) await auditDenial(ctx, bound, event, error);
    if (bound?.route.jsonRpc && isAppError(error, "invalid_json")) return jsonRpcParseError(ctx.requestId);
    return problem(error, ctx.requestId, event.headers["authorization"] !== undefined);
  }
};

const success = (ctx: ScopedContext<StoreScope>, event: HttpEvent, route: Route, result: unknown): HttpAnswer => {
  const { body, headers, next, status: otherProtocolStatus } = readReply(result);
  if (otherProtocolStatus !== undefined)
    return {
      statusCode: otherProtocolStatus,
      headers: { "cache-control": "no-store", ...headers, "x-request-id": ctx.requestId },
      body: String(body),
    };
  // Parsing drops fields that are not in the contract, such as internal fields of rows.
  const parsed = z.parse(route.response, body);
  const common = {
    "x-request-id": ctx.requestId,
    "cache-control": route.noStore ? "no-store" : "private, no-cache",
    ...(next ? { link: nextLink(event, next) } : {}),
    ...versionTag(parsed),
    ...headers,
  };
  const { status = 200 } = route;
  return status === 204 || status === 303 ? { statusCode: status, headers: common, body: "" } : json(status, parsed, common);
};

const versionTag = (answer: unknown): { etag?: string } =>
  typeof answer === "object" && answer !== null && "version" in answer && typeof answer.version === "number"
    ? { etag: `"${answer.version}"` }
    : {};

/** RFC 8288. */
const nextLink = ({ rawPath, rawQueryString }: HttpEvent, cursor: string): string => {
  const query = new URLSearchParams(rawQueryString);
  query.set("cursor", cursor);
  return `<${rawPath}?${query}>; rel="next"`;
};

/**
 * Audits `forbidden` and `read_only` errors of signed-in users, in their tenant's log or the platform's. Never throws.
 * Source: OWASP ASVS 5, 16.3.2.
 */
async function auditDenial(
  ctx: ScopedContext<StoreScope>,
  { route, authenticators }: BoundRoute,
  event: HttpEvent,
  error: unknown,
): Promise<void> {
  if (!isAppError(error, "forbidden", "read_only") || !authenticators.signedIn) return;
  try {
    const { platform, session } = await authenticators.signedIn(ctx, event, { ...route, activity: false });
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
