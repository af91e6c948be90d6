import * as z from "zod/mini";

/** The body of every answer that is not 2xx. `error` is a sentence a person can read. */
export const Problem = z.object({
  error: z.string(),
  code: z.string(),
  requestId: z.string(),
  fields: z.optional(z.record(z.string(), z.string())),
});
export type Problem = z.infer<typeof Problem>;

/**
 * Who may call a route. `user` is anyone signed in; `key` is a voice platform holding a tenant's API key; `signature` is one
 * that signs each request with the secret of the voice provider which the path names.
 */
export type Auth = "public" | "user" | "tenant_admin" | "system_admin" | "key" | "signature";

type Schema = z.ZodMiniType;

/** One HTTP route, stated once: API Gateway, handlers, the web client, OpenAPI and the isolation tests all read it. */
export type Route = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** API Gateway spelling, `{param}` for variables. */
  path: `/${string}`;
  summary: string;
  auth: Auth;
  /** false: screens poll this route by themselves, so it does not keep a session alive. */
  activity?: false;
  /** The success status; 200 when absent. 204 and 303 have no body; 303 leads on by its Location. */
  status?: 200 | 201 | 202 | 204 | 303;
  /** The answer holds a secret or patient data: no cache may keep it. */
  noStore?: true;
  /** Decoded body limit in bytes; 1 MiB when absent. */
  maxBodyBytes?: number;
  params?: Schema;
  query?: Schema;
  body?: Schema;
  response: Schema;
};

export type Routes = Record<string, Route>;

/** Keeps literals (paths, auth) so that handlers and clients are typed by the row. */
export const routes = <const R extends Routes>(table: R): R => table;

type Parsed<S> = S extends Schema ? z.output<S> : undefined;
type Sent<S> = S extends Schema ? z.input<S> : undefined;

/** What a handler receives, parsed. `ifMatch` is the version that the caller has seen of what it changes, if it says so. */
export type InputOf<R extends Route> = {
  params: Parsed<R["params"]>;
  query: Parsed<R["query"]>;
  body: Parsed<R["body"]>;
  ifMatch: number | undefined;
};
/** What a client sends. */
export type RequestOf<R extends Route> = { params: Sent<R["params"]>; query: Sent<R["query"]>; body: Sent<R["body"]> };
export type ResponseOf<R extends Route> = z.output<R["response"]>;

/** "GET /api/auth/me", as API Gateway names it in `event.routeKey`. */
export const routeKey = (route: Route): string => `${route.method} ${route.path}`;
