import { randomUUID } from "node:crypto";
import type { RecordMetric } from "../aws/cloudwatch/index.ts";
import { headerOf, type HttpRequest, type HttpResponse, jsonResponse, withHeaders } from "../lib/message.ts";
import { type Lambda, newTraceId } from "../lambda/index.ts";
import type { ApiSpec } from "../template/apis.ts";
import { eventOf } from "./event.ts";
import { responseOf } from "./response.ts";
import { createRouter, createThrottle } from "../template/router.ts";

const bodyLimitBytes = 10 * 1024 * 1024;
const headerLimitBytes = 10_240;
const integrationTimeoutMs = 30_000;

const message = (status: number, text: string): HttpResponse => jsonResponse(status, { message: text });

const decode = (path: string): string | undefined => {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
};

type Watching = { record: RecordMetric; clock: () => number };

export function createGateway(
  api: ApiSpec,
  invoke: Lambda["invoke"],
  { record, clock }: Watching = { record: () => undefined, clock: Date.now },
): (request: HttpRequest) => Promise<HttpResponse> {
  const routeOf = createRouter(api.routes);
  const passStage = api.throttle ? createThrottle(api.throttle) : () => true;
  const passRoute = new Map(Object.entries(api.routeThrottles).map(([key, throttle]) => [key, createThrottle(throttle)]));

  const answer = async (request: HttpRequest): Promise<HttpResponse> => {
    const headerBytes = request.headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
    if (headerBytes > headerLimitBytes) return message(431, "Request Header Fields Too Large");
    if (request.body.length > bodyLimitBytes) return message(413, "Request Entity Too Large");
    const path = decode(request.path);
    if (path === undefined) return message(400, "Bad Request");
    const match = routeOf(request.method, path);
    if (!match) return message(404, "Not Found");
    if (!(passRoute.get(match.route.key) ?? passStage)()) return message(429, "Too Many Requests");
    return runFunction(request, path, match);
  };

  const runFunction = async (request: HttpRequest, path: string, match: Parameters<typeof eventOf>[3]): Promise<HttpResponse> => {
    const traceId = headerOf(request.headers, "x-amzn-trace-id") ?? newTraceId();
    const traced = {
      ...request,
      headers: withHeaders(request.headers, { "x-amzn-trace-id": traceId, "x-forwarded-port": "443", "x-forwarded-proto": "https" }),
    };
    const outcome = await withinLimit(invoke(match.route.functionArn, eventOf(api, traced, path, match), traceId));
    if (outcome === "late") return message(503, "Service Unavailable");
    if (!outcome.ok)
      // A throttled function is a 503 to clients of HTTP APIs, as one that timed out
      return outcome.reason === "timeout" || outcome.reason === "throttled"
        ? message(503, "Service Unavailable")
        : outcome.reason === "too-large"
          ? message(413, "Request Entity Too Large")
          : message(500, "Internal Server Error");
    return responseOf(outcome.payload) ?? message(500, "Internal Server Error");
  };

  return async (request) => {
    const startedMs = clock();
    const response = await answer(request);
    for (const [name, value] of metricsOf(response.status, clock() - startedMs))
      record({ namespace: "AWS/ApiGateway", name, dimensions: { ApiId: api.id }, value });
    return { ...response, headers: withHeaders(response.headers, { "apigw-requestid": randomUUID() }) };
  };
}

/** Source: "Monitor CloudWatch metrics for HTTP APIs" in the API Gateway Developer Guide. */
const metricsOf = (status: number, ms: number): [name: string, value: number][] => [
  ["Count", 1],
  ["4xx", status >= 400 && status < 500 ? 1 : 0],
  ["5xx", status >= 500 ? 1 : 0],
  ["Latency", ms],
];

async function withinLimit<T>(work: Promise<T>): Promise<T | "late"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => (timer = setTimeout(() => resolve("late"), integrationTimeoutMs)));
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
