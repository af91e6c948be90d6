import * as z from "zod/mini";

/** The body of every response that is not 2xx. `error` is a sentence for people. */
export const Problem = z.object({
  error: z.string(),
  code: z.string(),
  requestId: z.string(),
  fields: z.optional(z.record(z.string(), z.string())),
});
export type Problem = z.infer<typeof Problem>;

/**
 * Who may call a route. user: any signed-in user. key: a voice platform with a tenant's API key. signature: a voice platform
 * that signs each request with the secret of the voice provider in the path.
 */
export type Auth = "public" | "user" | "tenant_admin" | "system_admin" | "key" | "signature";

type Schema = z.ZodMiniType;

/** One HTTP route. API Gateway, handlers, the web client, OpenAPI and the isolation tests are derived from it. */
export type Route = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** API Gateway syntax: `{param}` for parameters. */
  path: `/${string}`;
  summary: string;
  auth: Auth;
  /** false: polled by screens, so it does not keep a session alive. */
  activity?: false;
  /** Default 200. 204 and 303 have no body; 303 redirects to Location. */
  status?: 200 | 201 | 202 | 204 | 303;
  /** The response contains a secret or patient data: it must not be cached. */
  noStore?: true;
  /** Limit of the decoded body; default 1 MiB. */
  maxBodyBytes?: number;
  /** A body that is not JSON gets an error of JSON-RPC. */
  jsonRpc?: true;
  params?: Schema;
  query?: Schema;
  body?: Schema;
  response: Schema;
};

export type Routes = Record<string, Route>;

/** Keeps literal types (paths, auth), so that handlers and clients are typed by route. */
export const routes = <const R extends Routes>(table: R): R => table;

type Parsed<S> = S extends Schema ? z.output<S> : undefined;
type Sent<S> = S extends Schema ? z.input<S> : undefined;

/** A handler's parsed input. `ifMatch`: the version that the caller has seen, from the If-Match header. */
export type InputOf<R extends Route> = {
  params: Parsed<R["params"]>;
  query: Parsed<R["query"]>;
  body: Parsed<R["body"]>;
  ifMatch: number | undefined;
};
/** A client's input. */
export type RequestOf<R extends Route> = { params: Sent<R["params"]>; query: Sent<R["query"]>; body: Sent<R["body"]> };
export type ResponseOf<R extends Route> = z.output<R["response"]>;

/** "GET /api/auth/me", as in API Gateway's `event.routeKey`. */
export const routeKey = (route: Route): string => `${route.method} ${route.path}`;
