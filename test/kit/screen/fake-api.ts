import { isDeepStrictEqual } from "node:util";
import { allRoutes, routeKey, type InputOf, type Problem, type ResponseOf, type Route } from "@vitaline/contract";
import { vi } from "vitest";

/** Parsed by the route's schemas. */
export type Received<R extends Route = Route> = InputOf<R> & { route: R; headers: Headers; token: string | undefined };

export class Reply {
  readonly body: unknown;
  readonly init: ResponseInit;
  constructor(body: unknown, init: ResponseInit = {}) {
    this.body = body;
    this.init = init;
  }
}

export const page = (body: unknown, next?: string): Reply =>
  new Reply(body, next === undefined ? {} : { headers: { link: `</next?cursor=${encodeURIComponent(next)}>; rel="next"` } });

export const refusal = (status: number, { error = "Try again later.", code = "unavailable", ...more }: Partial<Problem> = {}): Reply =>
  new Reply({ error, code, requestId: "0123456789abcdef", ...more }, { status });

type Answer<R extends Route> = ResponseOf<R> | Reply;
export type Handler<R extends Route> = (request: Received<R>) => Answer<R> | Promise<Answer<R>>;

export type FakeApi = {
  /** The answer must match the route's schema. */
  on<R extends Route>(route: R, handler: Handler<R>): void;
  once<R extends Route>(route: R, handler: Handler<R>): void;
  /** Delays a route's requests until `release`. */
  hold(route: Route): { release(): void };
  received<R extends Route>(route: R): Received<R>[];
  log: string[];
  /** Violations of the contract. */
  problems: string[];
  waiting(): number;
};

const table = allRoutes().map(({ route }) => ({
  route,
  names: [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
  pattern: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, "([^/]+)")}$`),
}));

/** Of two matches, e.g. /users/me and /users/{id}, the one with fewer params. */
const find = (method: string, pathname: string) =>
  table
    .filter(({ route, pattern }) => route.method === method && pattern.test(pathname))
    .toSorted((one, other) => one.names.length - other.names.length)[0];

const json = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

/** A fake `fetch`: checks every request against the route table and every answer against its schema. */
export function openFakeApi(handlersByRoute: ReadonlyMap<Route, Handler<Route>>): FakeApi {
  const handlers = new Map<string, Handler<Route>[]>([...handlersByRoute].map(([route, handler]) => [routeKey(route), [handler]]));
  const held = new Map<string, Promise<void>>();
  const received: Received[] = [];
  const log: string[] = [];
  const problems: string[] = [];
  let waiting = 0;

  const parse = (what: string, schema: Route["body"], value: unknown): unknown => {
    if (schema === undefined) {
      if (value !== undefined && !isDeepStrictEqual(value, {})) problems.push(`${what} that the route does not take`);
      return undefined;
    }
    const parsed = schema.safeParse(value);
    if (!parsed.success) problems.push(`${what}: ${JSON.stringify(parsed.error.issues)}`);
    return parsed.data;
  };

  const toResponse = (route: Route, answer: unknown): Response => {
    if (answer instanceof Reply && (answer.init.status ?? 200) >= 300)
      return new Response(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body), answer.init);
    const { body, init } = answer instanceof Reply ? answer : { body: answer, init: {} };
    const sent = json(body);
    const read = route.response.safeParse(sent);
    if (!read.success)
      problems.push(
        `${routeKey(route)} is answered otherwise than the contract says (after a change of the contract: npm run record:answers): ${JSON.stringify(read.error.issues)}`,
      );
    else if (sent !== undefined && !isDeepStrictEqual(json(read.data), sent))
      problems.push(`${routeKey(route)} is answered with more than the contract knows: ${JSON.stringify(sent).slice(0, 400)}`);
    const status = route.status ?? 200;
    return new Response(status === 204 ? null : JSON.stringify(sent), { status, ...init });
  };

  const answer = async (address: string, init: RequestInit): Promise<Response> => {
    const { pathname, searchParams } = new URL(address, "http://localhost");
    const method = init.method ?? "GET";
    log.push(`${method} ${pathname}`);
    const found = find(method, pathname);
    if (!found) {
      problems.push(`${method} ${pathname} is no route of the contract`);
      return toResponse({} as Route, refusal(404));
    }
    const { route, names, pattern } = found;
    const key = routeKey(route);
    const params = Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(pattern.exec(pathname)?.[at + 1] ?? "")]));
    const headers = new Headers(init.headers);
    const request = {
      route,
      headers,
      token: headers.get("authorization")?.replace("Bearer ", ""),
      params: parse(`${key} params`, route.params, params),
      query: parse(`${key} query`, route.query, Object.fromEntries(searchParams)),
      body: parse(`${key} body`, route.body, typeof init.body === "string" ? JSON.parse(init.body) : undefined),
      ifMatch: headers.has("if-match") ? Number(headers.get("if-match")?.replaceAll('"', "")) : undefined,
    } as Received;
    received.push(request);
    await held.get(key);
    const queue = handlers.get(key) ?? [];
    const handler = queue.length > 1 ? queue.shift() : queue[0];
    if (!handler) {
      problems.push(`${key} has no answer in this test`);
      return toResponse(route, refusal(503));
    }
    return toResponse(route, await handler(request));
  };

  vi.stubGlobal("fetch", async (address: string, init: RequestInit = {}) => {
    waiting += 1;

    try {
      const aborted = new Promise<never>((_, fail) => {
        const stop = () => fail(init.signal?.reason);
        if (init.signal?.aborted) stop();
        init.signal?.addEventListener("abort", stop);
      });
      aborted.catch(() => undefined);
      return await Promise.race([answer(address, init), aborted]);
    } finally {
      waiting -= 1;
    }
  });

  return {
    on: (route, handler) => void handlers.set(routeKey(route), [handler as unknown as Handler<Route>]),
    once: (route, handler) => {
      const key = routeKey(route);
      const queue = handlers.get(key) ?? [() => refusal(503)];
      handlers.set(key, [...queue.slice(0, -1), handler as unknown as Handler<Route>, ...queue.slice(-1)]);
    },
    hold(route) {
      let release = () => {};
      const until = new Promise<void>((done) => (release = done));
      held.set(routeKey(route), until);
      return {
        release() {
          held.delete(routeKey(route));
          release();
        },
      };
    },
    received: <R extends Route>(route: R) => received.filter((one) => routeKey(one.route) === routeKey(route)) as unknown as Received<R>[],
    log,
    problems,
    waiting: () => waiting,
  };
}
