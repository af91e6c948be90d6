import { allRoutes } from "@vitaline/contract";
import { AppError, log, notFound } from "@vitaline/core";
import type { Invocation } from "../lib/context/platform-context.ts";
import type { HttpAnswer, HttpEvent } from "../lib/http/request.ts";
import { problem } from "../lib/http/response.ts";

const patterns = allRoutes().map(({ route }) => ({
  method: route.method,
  path: new RegExp(`^${route.path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
}));

const methodsAt = (path: string): string[] => [
  ...new Set(patterns.filter((pattern) => pattern.path.test(path)).map(({ method }) => method)),
];

/** Answers requests that match no route: 405 if the path exists for other methods, else 404. */
export const handler = async (event: HttpEvent, invocation: Invocation): Promise<HttpAnswer> => {
  const methods = methodsAt(event.rawPath);
  const error = methods.length > 0 ? new AppError("method_not_allowed", `Allowed methods: ${methods.join(", ")}.`) : notFound();
  const answer = problem(error, invocation.awsRequestId);
  log("info", "request.answered", { requestId: invocation.awsRequestId, route: event.routeKey, status: answer.statusCode });
  return methods.length > 0 ? { ...answer, headers: { ...answer.headers, allow: methods.join(", ") } } : answer;
};
