import { randomUUID } from "node:crypto";
import { headerOf, withHeaders, type HttpRequest } from "../lib/message.ts";
import type { BehaviorSpec, Forwarding } from "../template/edge/distribution-types.ts";

/** Forwarded regardless of policies. Source: "HTTP request headers and CloudFront behavior". */
const always = new Set([
  "content-type",
  "content-length",
  "content-encoding",
  "range",
  "if-match",
  "if-none-match",
  "if-modified-since",
  "if-unmodified-since",
  "if-range",
]);

const passes = ({ headers }: Forwarding, name: string): boolean =>
  headers === "all" ? true : headers instanceof Set ? headers.has(name) : !headers.except.has(name);

/** Origin headers and custom headers overwrite the viewer's. */
export function originRequest(request: HttpRequest, { origin, forwarding, encodings }: BehaviorSpec, originHost: string): HttpRequest {
  const kept = request.headers.filter(
    ([name]) =>
      name !== "host" &&
      name !== "accept-encoding" &&
      (name === "cookie" ? forwarding.some(({ cookies }) => cookies) : always.has(name) || forwarding.some((one) => passes(one, name))),
  );
  const accepted = encodings.length > 0 ? undefined : headerOf(request.headers, "accept-encoding");
  const allViewer = forwarding.some((one) => passes(one, "accept-encoding"));
  const forwardedFor = [headerOf(request.headers, "x-forwarded-for"), request.sourceIp].filter(Boolean).join(", ");
  return {
    ...request,
    path: `${origin.pathPrefix}${request.path}`,
    query: forwarding.some(({ query }) => query) ? request.query : "",
    headers: withHeaders(kept, {
      host: forwarding.some((one) => passes(one, "host")) ? (headerOf(request.headers, "host") ?? originHost) : originHost,
      ...(accepted && allViewer ? { "accept-encoding": accepted } : {}),
      ...(kept.some(([name]) => name === "user-agent") ? {} : { "user-agent": "Amazon CloudFront" }),
      "x-forwarded-for": forwardedFor,
      via: "2.0 local.cloudfront.net (CloudFront)",
      "x-amz-cf-id": randomUUID(),
      ...origin.customHeaders,
    }),
  };
}
