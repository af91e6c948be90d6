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
import { readReply, type Reply } from "./reply.ts";
import { json, problem } from "./respond.ts";

/** Verbs by operation: each gets the caller's context and the parsed request, and gives what the contract says. */
export type Handlers<R extends Routes> = {
  [Operation in keyof R]: (
    ctx: Contexts[R[Operation]["auth"]],
    input: InputOf<R[Operation]>,
  ) => Promise<ResponseOf<R[Operation]> | Reply<ResponseOf<R[Operation]>>>;
};
type Verb = (ctx: unknown, input: { params: unknown; query: unknown; body: unknown }) => Promise<unknown>;

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
        { route, verb: handlers[operation] as Verb, caller: callerOf(callers, route) },
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

type Bound = { route: Route; verb: Verb; caller: Caller<Auth> };

const answerTo = async (ctx: PlatformContext, event: HttpEvent, bound: Bound | undefined, throughEdge: boolean): Promise<HttpAnswer> => {
  try {
    if (!bound) throw notFound();
    const { route, verb, caller } = bound;
    if (route.auth !== "key" && !throughEdge) throw new AppError("forbidden", "Please use the public address of this service.");
    const theirs = await caller(ctx, event, route);
    const replied = await verb(theirs, readInput(route, event));
    return success(ctx, event, route, replied);
  } catch (error) {
    if (!isAppError(error)) ctx.log("error", "unexpected", { route: event.routeKey, ...errorFields(error) });
    else
      ctx.log("warn", "refused", {
        route: event.routeKey,
        code: error.code,
        ...(error.cause === undefined ? {} : { errorName: errorFields(error.cause).errorName }),
      });
    return problem(error, ctx.requestId);
  }
};

const success = (ctx: PlatformContext, event: HttpEvent, route: Route, replied: unknown): HttpAnswer => {
  const { body, headers, next } = readReply(replied);
  const common = {
    "x-request-id": ctx.requestId,
    "cache-control": route.noStore ? "no-store" : "private, no-cache",
    ...(next ? { link: nextLink(event, next) } : {}),
    ...headers,
  };
  // Parsing drops what the contract does not name, so a row's inner fields cannot slip out.
  const parsed = z.parse(route.response, body);
  return route.status === 204 ? { statusCode: 204, headers: common, body: "" } : json(route.status ?? 200, parsed, common);
};

/** RFC 8288: where the next page is. */
const nextLink = ({ rawPath, rawQueryString }: HttpEvent, cursor: string): string => {
  const query = new URLSearchParams(rawQueryString);
  query.set("cursor", cursor);
  return `<${rawPath}?${query}>; rel="next"`;
};
