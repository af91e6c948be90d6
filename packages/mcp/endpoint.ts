import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type McpRequestContext,
} from "@modelcontextprotocol/server";
import { AppError, isDeeperThan, notFound } from "@vitaline/core";
import { keys } from "@vitaline/store";
import * as z from "zod/mini";
import { serverFor, type McpRequest } from "./server.ts";

export type McpPlace = McpRequest & {
  /** Of the address that was asked. */
  tenantId: string;
  /** What was sent there, parsed. */
  body: unknown;
};

/** Both answer forms: the SDK refuses clients that name only one, or none, and some do. */
const bothForms = "application/json, text/event-stream";
/** Levels of one request; no tool asks for more than a few. */
const deepest = 100;
/** What the SDK reads of a request's headers. */
const passedOn = ["mcp-protocol-version", "mcp-method", "mcp-name", "last-event-id"];

const asked = ({ authInfo }: McpRequestContext): McpRequest => authInfo?.extra?.["asked"] as McpRequest;
/** One JSON body an answer, as nothing is told before it. Source: Model Context Protocol 2026-07-28. */
const modern = createMcpHandler((context) => serverFor(asked(context)), { legacy: "reject", keepAliveMs: 0 });

/**
 * Answers one MCP request of either era (https://modelcontextprotocol.io/specification, 2025-11-25 and before; 2026-07-28).
 * AppError `not_found` for another tenant than the key's, for an office that is not its own or not active, and for another place than
 * that of the call's token; `forbidden` for a page of another site and for a host that is not ours.
 */
export async function answerMcp(place: McpPlace): Promise<Response> {
  const { ctx, tenantId, officeId, body, header } = place;
  requireOurHost(place);
  requireOurOrigin(place);
  await requireOwnPlace(place);
  if (isDeeperThan(body, deepest)) throw new AppError("invalid_request", "The request is nested too deeply.");
  if (identityChecksIn(body) > 1) throw new AppError("invalid_request", "A request may hold one identity check.");
  const headers = new Headers({ "content-type": "application/json", accept: bothForms });
  for (const name of passedOn) {
    const value = header(name);
    if (value !== undefined) headers.set(name, value);
  }
  const url = [ctx.origin, "api/mcp", tenantId, ...(officeId === undefined ? [] : [officeId])].join("/");
  // Its body is parsed already, and the SDK reads no other
  const request = new Request(url, { method: "POST", headers });
  if (await isLegacyRequest(request, body)) return legacy(place, request);
  const authInfo = { token: "", clientId: tenantId, scopes: [], extra: { asked: place } };
  return firstOf(await modern.fetch(request, { authInfo, parsedBody: body }));
}

const ToolCall = z.object({ method: z.literal("tools/call"), params: z.object({ name: z.literal("verifyPatientIdentity") }) });
/** In a batch a caller's tries would not be counted one after the other. */
const identityChecksIn = (body: unknown): number =>
  Array.isArray(body) ? body.filter((one) => z.safeParse(ToolCall, one).success).length : 1;

/** A stream of changes is acknowledged and ends: it would outlive a Lambda invocation, and the list of tools never changes. */
async function firstOf(response: Response): Promise<Response> {
  if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
  const reader = response.body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new Response(value, response);
}

/** Before 2026-07-28 `initialize` comes first; no session is begun, as one client may serve many calls. */
async function legacy(place: McpPlace, request: Request): Promise<Response> {
  const enableJsonResponse = !/^\s*text\/event-stream\s*$/i.test(place.header("accept") ?? "");
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse });
  const server = serverFor(place);
  await server.connect(transport);
  const response = await transport.handleRequest(request, { parsedBody: place.body });
  // A stream ends with its one message, so that all of it can be read
  const answer = enableJsonResponse || response.body === null ? response : new Response(await response.text(), response);
  await server.close();
  return answer;
}

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

async function requireOwnPlace({ ctx, tenantId, officeId, granted }: McpPlace): Promise<void> {
  if (tenantId !== ctx.tenantId || (granted && granted.officeId !== officeId)) throw notFound();
  if (officeId !== undefined && !(await ctx.store.get(keys.office(officeId)))?.isActive) throw notFound();
}

/**
 * Against names that somebody else has pointed at this machine. The edge says by which name it was called; API Gateway, asked
 * directly, answers to its own name alone. Without a public origin of our own CloudFront's name is the one.
 */
function requireOurHost({ header }: McpPlace): void {
  const host = header("x-vitaline-host");
  const { PUBLIC_ORIGIN } = process.env;
  const own = PUBLIC_ORIGIN === undefined ? undefined : new URL(PUBLIC_ORIGIN).host;
  if (host !== undefined && host !== own && !loopback.test(host) && !(own === undefined && host.endsWith(".cloudfront.net")))
    throw new AppError("forbidden", "This is not a name of this service.");
}

/** A browser names the page that asks; servers name none. */
function requireOurOrigin({ ctx, header }: McpPlace): void {
  const origin = header("origin");
  if (origin !== undefined && origin !== ctx.origin) throw new AppError("forbidden", "Another site's page may not call this address.");
}
