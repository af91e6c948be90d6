import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
  type McpRequestContext,
} from "@modelcontextprotocol/server";
import { AppError, isDeeperThan, notFound } from "@vitaline/core";
import { keys } from "@vitaline/store";
import * as z from "zod/mini";
import { serverFor, type McpRequest } from "./server.ts";

export type McpEndpointRequest = McpRequest & {
  /** From the URL. */
  tenantId: string;
  /** Parsed JSON. */
  body: unknown;
};

/** The SDK refuses clients that accept only one of them, which some do. */
const acceptBoth = "application/json, text/event-stream";
const maxDepth = 100;
const forwardedHeaders = ["mcp-protocol-version", "mcp-method", "mcp-name", "last-event-id"];

const requestOf = ({ authInfo }: McpRequestContext): McpRequest => authInfo?.extra?.["request"] as McpRequest;
/** A single JSON body, because no progress is reported. Source: Model Context Protocol 2026-07-28. */
const modern = createMcpHandler((context) => serverFor(requestOf(context)), { legacy: "reject", keepAliveMs: 0 });

/**
 * Answers a request of either protocol version (https://modelcontextprotocol.io/specification, up to 2025-11-25 and 2026-07-28).
 * AppError `not_found` for another tenant or office than the credential's and for an inactive office; `forbidden` for a foreign
 * Origin or host.
 */
export async function answerMcp(place: McpEndpointRequest): Promise<Response> {
  const { ctx, tenantId, officeId, body, header } = place;
  requireOurHost(place);
  requireOurOrigin(place);
  await requireOwnTenant(place);
  if (isDeeperThan(body, maxDepth)) throw new AppError("invalid_request", "The request is nested too deeply.");
  if (Array.isArray(body) && !allowsBatches(header("mcp-protocol-version"))) return batchRefused();
  if (identityChecksIn(body) > 1) throw new AppError("invalid_request", "A request may contain only one identity check.");
  const headers = new Headers({ "content-type": "application/json", accept: acceptBoth });
  for (const name of forwardedHeaders) {
    const value = header(name);
    if (value !== undefined) headers.set(name, value);
  }
  const url = [ctx.origin, "api/mcp", tenantId, ...(officeId === undefined ? [] : [officeId])].join("/");
  // The body is passed as parsedBody.
  const request = new Request(url, { method: "POST", headers });
  if (await isLegacyRequest(request, body)) return legacy(place, request);
  const authInfo = { token: "", clientId: tenantId, scopes: [], extra: { request: place } };
  return firstEvent(await modern.fetch(request, { authInfo, parsedBody: body }));
}

/** Only 2025-03-26 has batches; a request without the header is of that version. */
const allowsBatches = (version = "2025-03-26"): boolean => version < "2025-06-18";
const batchRefused = (): Response => {
  const error = { code: ProtocolErrorCode.InvalidRequest, message: "This protocol version has no batches" };
  return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 400 });
};

const ToolCall = z.object({ method: z.literal("tools/call"), params: z.object({ name: z.literal("verifyPatientIdentity") }) });
/** Identity checks of a batch would not be counted one after the other. */
const identityChecksIn = (body: unknown): number =>
  Array.isArray(body) ? body.filter((one) => z.safeParse(ToolCall, one).success).length : 1;

/** Ends a subscription stream after its acknowledgement: it would outlive the Lambda invocation, and the tool list never changes. */
async function firstEvent(response: Response): Promise<Response> {
  if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
  const reader = response.body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new Response(value, response);
}

/** Stateless also before 2026-07-28, because one client may serve many calls. */
async function legacy(place: McpEndpointRequest, request: Request): Promise<Response> {
  const enableJsonResponse = !/^\s*text\/event-stream\s*$/i.test(place.header("accept") ?? "");
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse });
  const server = serverFor(place);
  await server.connect(transport);
  const response = await transport.handleRequest(request, { parsedBody: place.body });
  // The stream has a single message.
  const answer = enableJsonResponse || response.body === null ? response : new Response(await response.text(), response);
  await server.close();
  return answer;
}

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

async function requireOwnTenant({ ctx, tenantId, officeId, granted }: McpEndpointRequest): Promise<void> {
  if (tenantId !== ctx.tenantId || (granted && granted.officeId !== officeId)) throw notFound();
  if (officeId !== undefined && !(await ctx.store.get(keys.office(officeId)))?.isActive) throw notFound();
}

/** Prevents DNS rebinding. The edge passes on its host name; without PUBLIC_ORIGIN it is CloudFront's. */
function requireOurHost({ header }: McpEndpointRequest): void {
  const host = header("x-vitaline-host");
  const { PUBLIC_ORIGIN } = process.env;
  const own = PUBLIC_ORIGIN === undefined ? undefined : new URL(PUBLIC_ORIGIN).host;
  if (host !== undefined && host !== own && !loopback.test(host) && !(own === undefined && host.endsWith(".cloudfront.net")))
    throw new AppError("forbidden", "This host name is not served here.");
}

/** Only browsers send an Origin. */
function requireOurOrigin({ ctx, header }: McpEndpointRequest): void {
  const origin = header("origin");
  if (origin !== undefined && origin !== ctx.origin) throw new AppError("forbidden", "Pages of other sites may not call this address.");
}
