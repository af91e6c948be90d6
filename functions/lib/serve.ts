import type { Auth, InputOf, ResponseOf, Route, Routes } from "@vitaline/contract";
import { routeKey } from "@vitaline/contract";
import { AppError, errorFields, isAppError, notFound } from "@vitaline/core";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";
import type { Caller, Callers, Contexts } from "./callers.ts";
import { platformContext } from "./context.ts";
import { cameThroughEdge, whereFrom } from "./edge.ts";
import type { HttpAnswer, HttpEvent, Invocation } from "./event.ts";
import { readInput } from "./read-input.ts";
import { auditRefusal } from "./refusals.ts";
import { readReply, type Reply } from "./reply.ts";
import { json, problem } from "./respond.ts";

/** Verbs by operation: each gets the caller's context and the parsed request, and gives what the contract says. */
export type Handlers<R extends Routes> = {
  [Operation in keyof R]: (
    ctx: Contexts[R[Operation]["auth"]],
    input: InputOf<R[Operation]>,
  ) => Promise<ResponseOf<R[Operation]> | Reply<ResponseOf<R[Operation]>>>;
};
type Verb = (ctx: unknown, input: ReturnType<typeof readInput>) => Promise<unknown>;

/**
 * Binds one group of routes to its verbs as a Lambda function: edge check, credentials, limits, parsing, one log line,
 * and answers that hold what the contract names and nothing else.
 */
export const serve =
  <const R extends Routes>(table: R, callers: Callers) =>
  (handlers: Handlers<R>) => {
    const bound = new Map(
      Object.entries(table).map(([operation, route]) => [
        routeKey(route),
        { route, verb: handlers[operation] as Verb, caller: callerOf(callers, route), callers },
      ]),
    );
    return async (event: HttpEvent, invocation: Invocation): Promise<HttpAnswer> => {
      const started = performance.now();
      const throughEdge = cameThroughEdge(event);
      const request = {
        requestId: invocation.awsRequestId,
        remainingMs: invocation.getRemainingTimeInMillis(),
        ...whereFrom(event, throughEdge),
      };
      const ctx = platformContext(request, { kind: "nobody", id: "anonymous" });
      const answer = await answerTo(ctx, event, bound.get(event.routeKey), throughEdge);
      ctx.log("info", "request", { route: event.routeKey, status: answer.statusCode, ms: Math.round(performance.now() - started) });
      return answer;
    };
  };

const callerOf = (callers: Callers, route: Route): Caller<Auth> => {
  const caller = callers[route.auth];
  if (!caller) throw new Error(`${routeKey(route)} is for ${route.auth}, whom this function cannot tell`);
  return caller as Caller<Auth>;
};

/** They may call API Gateway itself: its throttling is theirs. */
const fromPlatforms: readonly Auth[] = ["key", "signature"];

type Bound = { route: Route; verb: Verb; caller: Caller<Auth>; callers: Callers };

const answerTo = async (ctx: PlatformContext, event: HttpEvent, bound: Bound | undefined, throughEdge: boolean): Promise<HttpAnswer> => {
  try {
    if (!bound) throw notFound();
    const { route, verb, caller } = bound;
    if (!fromPlatforms.includes(route.auth) && !throughEdge)
      throw new AppError("forbidden", "Please use the public address of this service.");
    const theirs = await caller(ctx, event, route);
    try {
      return success(ctx, event, route, await verb(theirs, readInput(route, event)));
    } finally {
      if ("alongside" in theirs) await theirs.alongside;
    }
  } catch (error) {
    if (!isAppError(error)) ctx.log("error", "unexpected", { route: event.routeKey, ...errorFields(error) });
    else
      ctx.log("warn", "refused", {
        route: event.routeKey,
        code: error.code,
        ...(error.cause === undefined ? {} : { errorName: errorFields(error.cause).errorName }),
      });
    if (bound && throughEdge) await auditRefusal(ctx, bound.callers, event, bound.route, error);
    return problem(error, ctx.requestId);
  }
};

const success = (ctx: PlatformContext, event: HttpEvent, route: Route, replied: unknown): HttpAnswer => {
  const { body, headers, next, status: foreign } = readReply(replied);
  if (foreign !== undefined)
    return { statusCode: foreign, headers: { "cache-control": "no-store", ...headers, "x-request-id": ctx.requestId }, body: String(body) };
  // Parsing drops what the contract does not name, so a row's inner fields cannot slip out.
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

/** What has a version says it, so that whoever changes it can say which one they saw. */
const versionTag = (answer: unknown): { etag?: string } =>
  typeof answer === "object" && answer !== null && "version" in answer && typeof answer.version === "number"
    ? { etag: `"${answer.version}"` }
    : {};

/** RFC 8288: where the next page is. */
const nextLink = ({ rawPath, rawQueryString }: HttpEvent, cursor: string): string => {
  const query = new URLSearchParams(rawQueryString);
  query.set("cursor", cursor);
  return `<${rawPath}?${query}>; rel="next"`;
};
