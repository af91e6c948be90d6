import { randomUUID } from "node:crypto";
import { headerOf, type HttpRequest } from "../lib/message.ts";
import type { ApiSpec } from "../template/apis.ts";
import type { Match } from "../template/router.ts";

const textType = /^(text\/|application\/(json|javascript|xml)\b|application\/[\w.+-]+\+(json|xml)\b)/i;

const isText = (request: HttpRequest): boolean =>
  headerOf(request.headers, "content-encoding") === undefined && textType.test(headerOf(request.headers, "content-type") ?? "text/plain");

const joined = (entries: Iterable<[string, string]>): Record<string, string> => {
  const values = new Map<string, string>();
  for (const [name, value] of entries) values.set(name, values.has(name) ? `${values.get(name)},${value}` : value);
  return Object.fromEntries(values);
};

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const logTime = (now: Date): string => {
  const [year, month, day] = now.toISOString().slice(0, 10).split("-");
  return `${day}/${months[Number(month) - 1]}/${year}:${now.toISOString().slice(11, 19)} +0000`;
};

/** Source: "HTTP API payload format 2.0" in the API Gateway Developer Guide. */
export function eventOf(api: ApiSpec, request: HttpRequest, decodedPath: string, { route, pathParameters }: Match): object {
  const now = new Date();
  const query = joined(new URLSearchParams(request.query));
  const cookies = headerOf(request.headers, "cookie")?.split(/; */);
  const headers = joined(request.headers.filter(([name]) => name !== "cookie"));
  const text = isText(request);
  return {
    version: "2.0",
    routeKey: route.key,
    rawPath: decodedPath,
    rawQueryString: request.query,
    ...(cookies && { cookies }),
    headers,
    ...(Object.keys(query).length > 0 && { queryStringParameters: query }),
    ...(pathParameters && { pathParameters }),
    requestContext: {
      accountId: api.account,
      apiId: api.id,
      domainName: api.domainName,
      domainPrefix: api.domainName.split(".")[0],
      http: {
        method: request.method,
        path: decodedPath,
        protocol: "HTTP/1.1",
        sourceIp: request.sourceIp,
        userAgent: headers["user-agent"] ?? "",
      },
      requestId: randomUUID(),
      routeKey: route.key,
      stage: "$default",
      time: logTime(now),
      timeEpoch: now.getTime(),
    },
    ...(request.body.length > 0 && { body: request.body.toString(text ? "utf8" : "base64") }),
    isBase64Encoded: request.body.length > 0 && !text,
  };
}
