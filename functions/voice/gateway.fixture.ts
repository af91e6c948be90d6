import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { contract, routeKey } from "@vitaline/contract";
import { fromEdge } from "../../test/kit/aws.ts";
import type { HttpEvent } from "../lib/http/request.ts";
import { handler as mcp } from "../mcp/handler.ts";
import { handler as voice } from "./handler.ts";

export type Gateway = { origin: string; close(): Promise<void> };

const invokedFunctionArn = "arn:aws:lambda:us-east-1:000000000000:function:vitaline-voice";
const groups = [
  { functionName: "vitaline-voice", handler: voice, routes: Object.values(contract.voice) },
  { functionName: "vitaline-mcp", handler: mcp, routes: Object.values(contract.mcp) },
];

const paramsIn = (pattern: string, path: string): Record<string, string> | undefined =>
  new RegExp(`^${pattern.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`).exec(path)?.groups ?? (pattern === path ? {} : undefined);

const invoke = async (event: Omit<HttpEvent, "routeKey" | "pathParameters">) => {
  for (const { functionName, handler, routes } of groups)
    for (const route of routes) {
      const pathParameters = paramsIn(route.path, event.rawPath);
      if (pathParameters === undefined || route.method !== event.requestContext.http.method) continue;
      return handler(
        { ...event, routeKey: routeKey(route), pathParameters },
        { awsRequestId: randomUUID(), functionName, invokedFunctionArn, getRemainingTimeInMillis: () => 20_000 },
      );
    }
  return { statusCode: 404, headers: {}, body: "" };
};

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "", url = "", headers } = request;
  const {
    statusCode,
    headers: answered,
    body,
  } = await invoke({
    rawPath: url,
    rawQueryString: "",
    headers: { ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])), ...(await fromEdge()) },
    body: await text(request),
    isBase64Encoded: false,
    requestContext: { domainName: String(headers.host), http: { method, sourceIp: "203.0.113.9" } },
  });
  response.writeHead(statusCode, answered).end(body);
}

/** Serves the voice and mcp functions over HTTP, as API Gateway does. */
export async function openGateway(): Promise<Gateway> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((done) => void server.close(() => done()).closeAllConnections()),
  };
}
