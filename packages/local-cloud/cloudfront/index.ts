import { type HttpRequest, type HttpResponse, withHeaders } from "../lib/message.ts";
import { compress } from "./compress.ts";
import { compileEdgeFunction, type EdgeFunction } from "./edge-function.ts";
import { originRequest } from "./forward.ts";
import type { BehaviorSpec, DistributionSpec, HeadersPolicy, OriginSpec } from "../template/distribution-types.ts";

export type Origin = { host: string; answer(request: HttpRequest): Promise<HttpResponse> };

export type Distribution = {
  answer(request: HttpRequest): Promise<HttpResponse>;
  /** Whether the default behaviour is the one for this path. */
  isPage(path: string): boolean;
};

type Behavior = BehaviorSpec & { matches: (path: string) => boolean; onRequest?: EdgeFunction; onResponse?: EdgeFunction };

/**
 * Answers viewers as a distribution does: behaviour, viewer-request function, origin, compression, response headers,
 * viewer-response function. It caches nothing: a desk shows what is there now.
 */
export function createDistribution(spec: DistributionSpec, originOf: (origin: OriginSpec) => Origin): Distribution {
  const behaviors = spec.behaviors.map((behavior): Behavior => ({
    ...behavior,
    matches: behavior.pathPattern === undefined ? () => true : pathPattern(behavior.pathPattern),
    onRequest: behavior.viewerRequest && compileEdgeFunction(behavior.viewerRequest, spec),
    onResponse: behavior.viewerResponse && compileEdgeFunction(behavior.viewerResponse, spec),
  }));

  const fetchFromOrigin = async (request: HttpRequest, behavior: Behavior): Promise<HttpResponse> => {
    const rooted = request.path === "/" && spec.defaultRootObject ? { ...request, path: `/${spec.defaultRootObject}` } : request;
    const { host, answer } = originOf(behavior.origin);
    const response = await compress(request, await answer(originRequest(rooted, behavior, host)), behavior.encodings);
    return withPolicy(response, behavior.responseHeaders);
  };

  const behaviorFor = (path: string): Behavior | undefined => behaviors.find(({ matches }) => matches(path));

  const answer = async (request: HttpRequest): Promise<HttpResponse> => {
    const behavior = behaviorFor(request.path);
    if (!behavior) return plain(404, "Not Found");
    if (!behavior.allowedMethods.has(request.method))
      return withPolicy(
        plain(403, "This distribution is not configured to allow the HTTP request method that was used for this request."),
        behavior.responseHeaders,
      );
    const passed = behavior.onRequest ? await behavior.onRequest.onRequest(request) : { request };
    // A function's own answer leaves as it is: CloudFront adds no policy's headers to it
    if ("response" in passed) return passed.response;
    const response = await fetchFromOrigin(passed.request, behavior);
    return behavior.onResponse ? behavior.onResponse.onResponse(passed.request, response) : response;
  };

  return { answer, isPage: (path) => behaviorFor(path)?.pathPattern === undefined };
}

function withPolicy(response: HttpResponse, policy: HeadersPolicy | undefined): HttpResponse {
  if (!policy) return response;
  const kept = response.headers.filter(([name]) => !policy.remove.has(name));
  const present = new Set(kept.map(([name]) => name));
  const added = policy.set.filter(({ name, override }) => override || !present.has(name));
  return { ...response, headers: withHeaders(kept, Object.fromEntries(added.map(({ name, value }) => [name, value]))) };
}

const plain = (status: number, text: string): HttpResponse => ({
  status,
  headers: [["content-type", "text/plain"]],
  body: Buffer.from(text),
});

/** A behaviour's path pattern as a test: `*` is any run of characters, `?` any one; case counts. */
export function pathPattern(pattern: string): (path: string) => boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  const expression = new RegExp(`^${source.startsWith("/") ? "" : "/?"}${source}$`);
  return (path) => expression.test(path);
}
