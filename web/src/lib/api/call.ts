import type { RequestOf, ResponseOf, Route } from "@vitaline/contract";
import { ApiError, UnreadableAnswer } from "./api-error.ts";
import { credentialHeaders, expire, readToken } from "../session/credentials.ts";
import { reportRequiredAction, requiredActionOf } from "../session/required-actions.ts";
import { type Answered, dropFirstReads, takeFirstRead } from "./first-reads.ts";
import { limitConcurrency } from "./limit-concurrency.ts";

type Part = keyof RequestOf<Route>;
type OptionalPart<R extends Route> = {
  [P in Part]: undefined extends RequestOf<R>[P] ? P : Record<never, never> extends RequestOf<R>[P] ? P : never;
}[Part];

/** Params, query and body of a route, each only if the route has it. */
export type Request<R extends Route> = Omit<RequestOf<R>, OptionalPart<R>> & Partial<Pick<RequestOf<R>, OptionalPart<R>>>;

const timeoutMilliseconds = 30_000;

let underWay = new AbortController();

/** Aborts all running requests. */
export const abandonRequests = (): void => {
  dropFirstReads();
  underWay.abort();
  underWay = new AbortController();
};

/** Browsers resolve "." and ".." even when escaped. Throws TypeError. */
const segment = (name: string, value: unknown): string => {
  const text = String(value);
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`The path parameter ${name} names nothing.`);
  return encodeURIComponent(text);
};

/** A relative address. Throws TypeError for a param that would change the path. */
export const addressOf = (route: Pick<Route, "path">, request: { params?: unknown; query?: unknown }): string => {
  const params = Object.entries(request.params ?? {});
  const path = params.reduce((text, [name, value]) => text.replace(`{${name}}`, segment(name, value)), route.path as string);
  const asked = Object.entries(request.query ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams(asked.map(([name, value]) => [name, String(value)])).toString();
  return query ? `${path}?${query}` : path;
};

type Options = {
  /** The version that the user has seen; the server answers 409 if there is a newer one. */
  ifMatch?: number;
  /** For session checks: no session is a valid answer. */
  on401?: "returnNull";
  /** A session other than the one of this tab. */
  token?: string;
};

/** Calls a route as the signed-in user. Throws ApiError, UnreadableAnswer, or fetch's error. */
export async function call<R extends Route>(route: R, request: Request<R>, options?: Omit<Options, "on401">): Promise<ResponseOf<R>>;
export async function call<R extends Route>(route: R, request: Request<R>, options: Options): Promise<ResponseOf<R> | null>;
export async function call<R extends Route>(route: R, request: Request<R>, options?: Options): Promise<ResponseOf<R> | null> {
  const answer = await send(route, request, options);
  return answer && answer.body;
}

/** `next` is the cursor of the next page, null on the last. */
export type Page<T> = { answer: T; next: string | null };

/** Throws as `call` does. */
export const callPage = async <R extends Route>(route: R, request: Request<R>): Promise<Page<ResponseOf<R>>> => {
  const answer = await send(route, request);
  if (!answer) throw new UnreadableAnswer(route.path);
  return { answer: answer.body, next: nextCursor(answer.link) };
};

/** Reads the cursor of a Link header, `</path?cursor=...>; rel="next"` (RFC 8288). Null on the last page. */
export const nextCursor = (link: string | null): string | null => {
  const address = link === null ? undefined : /<([^>]+)>\s*;\s*rel="next"/.exec(link)?.[1];
  return new URLSearchParams(address?.split("?")[1]).get("cursor");
};

type Answer<R extends Route> = { body: ResponseOf<R>; link: string | null };

/** Limits the reads of a dashboard. Writes and session checks do not wait for them. */
const queueRead = limitConcurrency(6);

const send = <R extends Route>(route: R, request: Request<R>, options?: Options): Promise<Answer<R> | null> => {
  // Taken before the request waits in the queue.
  const by: Asker = { token: options?.token ?? readToken(), leaves: underWay.signal };
  const isOfSession = route.path.startsWith("/api/auth/");
  return route.method === "GET" && !isOfSession ? queueRead(() => ask(route, request, by, options)) : ask(route, request, by, options);
};

type Asker = { token: string | null; leaves: AbortSignal };

const ask = async <R extends Route>(route: R, request: Request<R>, by: Asker, options?: Options): Promise<Answer<R> | null> => {
  const { body, ...place } = request as { params?: unknown; query?: unknown; body?: unknown };
  const { token, leaves } = by;
  leaves.throwIfAborted();
  const address = addressOf(route, place);
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMilliseconds), leaves]);
  const first = route.method === "GET" ? await takeFirstRead(address, token, signal) : undefined;
  const init: RequestInit = {
    method: route.method,
    credentials: "same-origin",
    headers: {
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(options?.ifMatch === undefined ? {} : { "if-match": `"${options.ifMatch}"` }),
      ...credentialHeaders(token),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal,
  };
  const { status, statusText, text, link } = first ?? (await answered(address, init));
  if (status < 200 || status > 299) {
    if (status === 401 && token && route.auth !== "public") expire(token);
    if (status === 401 && options?.on401 === "returnNull") return null;
    const error = new ApiError(status, statusText, text);
    const duty = requiredActionOf(error);
    if (duty && readToken() === token) reportRequiredAction(duty);
    throw error;
  }
  return { body: read(route, text), link };
};

const answered = async (address: string, init: RequestInit): Promise<Answered> => {
  const response = await fetch(address, init);
  const text = await response.text();
  return { status: response.status, statusText: response.statusText, link: response.headers.get("link"), text };
};

const read = <R extends Route>(route: R, text: string): ResponseOf<R> => {
  try {
    return route.response.parse(text === "" ? undefined : JSON.parse(text)) as ResponseOf<R>;
  } catch {
    throw new UnreadableAnswer(route.path);
  }
};
