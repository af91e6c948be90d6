import { lookup as dnsLookup } from "node:dns";
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { isUtf8 } from "node:buffer";
import { checkedLookup, checkTarget, OutboundError, type ResolveAll, type Target } from "./target.ts";

// An ESM import of node:http reads all its exports, and one of them loads undici: 20 ms of every cold start.
const { Agent: HttpAgent, request: httpRequest } = process.getBuiltinModule("node:http");

export interface OutboundOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** From the first step to the last byte; default 2500. */
  timeoutMs?: number;
  /** Largest response body; default 1 MiB. */
  maxBytes?: number;
  signal?: AbortSignal;
  /** The origin saved by an administrator; only this origin may use a port other than 443. */
  registeredOrigin?: string;
  /** Resolves once the headers have arrived; the body is discarded and the response's body is empty. */
  statusOnly?: true;
  /** Adds `certificateExpiry` to the response. */
  wantsCertificate?: true;
}

export interface OutboundResponse {
  status: number;
  /** Names in lower case. */
  headers: IncomingHttpHeaders;
  url: string;
  /** Expiry of the server's TLS certificate; only over https and with `wantsCertificate`. */
  certificateExpiry?: string;
  /** Decoded in the charset of Content-Type, UTF-8 if unknown; malformed bytes are replaced. */
  text(): string;
  /** SyntaxError when the body is not JSON, is nested more than 100 deep, or has an unknown charset. */
  json(): unknown;
}

export type OutboundFetch = (url: string, options?: OutboundOptions) => Promise<OutboundResponse>;

const defaultTimeoutMs = 2500;
const defaultMaxBytes = 1 << 20;
const connectTimeoutMs = 1000;
// The idle timeout drops connections that the peer closed while Lambda was frozen.
const agentOptions = { keepAlive: true, timeout: 4000 };
/** Per origin; no tool sends more requests at once. */
const defaultMaxSockets = 10;

/**
 * Calls a URL that a person or another system supplied: public https only, checked before DNS, at DNS and at the socket
 * (SSRF); no redirects; limited in time and size. Throws OutboundError.
 */
export const outboundFetch: OutboundFetch = createOutboundFetch(dnsLookup);

/**
 * The same without a limit of sockets per origin, for callers that limit concurrency themselves: time spent in a socket queue
 * counts toward the timeout.
 */
export const unqueuedFetch: OutboundFetch = createOutboundFetch(dnsLookup, Number.POSITIVE_INFINITY);

export function createOutboundFetch(resolveAll: ResolveAll, maxSockets: number = defaultMaxSockets): OutboundFetch {
  const options = { ...agentOptions, maxSockets };
  const [publicAgent, loopbackHttps, loopbackHttp] = [new HttpsAgent(options), new HttpsAgent(options), new HttpAgent(options)];

  const open = (target: Target, { method = "GET", headers = {}, body }: OutboundOptions): ClientRequest => {
    const plain = target.url.protocol === "http:";
    return (plain ? httpRequest : httpsRequest)(target.url, {
      method,
      headers: { "Accept-Encoding": "identity", ...headers, ...(body !== undefined && { "Content-Length": Buffer.byteLength(body) }) },
      agent: plain ? loopbackHttp : target.loopback ? loopbackHttps : publicAgent,
      lookup: checkedLookup(resolveAll, target.accepts),
    });
  };

  return async (url, options = {}) => {
    const target = checkTarget(url, options.registeredOrigin);
    return exchange(target, options, () => open(target, options));
  };
}

/** Sends one request. An early end destroys the socket; the OutboundError says whether the request had been sent. */
function exchange(target: Target, options: OutboundOptions, open: () => ClientRequest): Promise<OutboundResponse> {
  const { body, timeoutMs = defaultTimeoutMs, maxBytes = defaultMaxBytes, signal } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted || timeoutMs <= 0) return reject(new OutboundError("outbound_timeout"));
    let request: ClientRequest;
    try {
      request = open();
    } catch (error) {
      // Node throws on invalid headers.
      return reject(new OutboundError("outbound_unreachable", { sent: false, cause: error }));
    }
    let sent = false;
    const fail = (error: unknown) => {
      cleanUp();
      request.destroy();
      reject(error instanceof OutboundError ? error : new OutboundError("outbound_unreachable", { sent, cause: error }));
    };
    const timeOut = () => fail(new OutboundError("outbound_timeout", { sent }));
    const timers = [setTimeout(timeOut, timeoutMs)];
    const cleanUp = () => {
      timers.forEach(clearTimeout);
      signal?.removeEventListener("abort", timeOut);
    };
    signal?.addEventListener("abort", timeOut);

    request.once("socket", (socket) => {
      const ready = () => void (sent = true);
      // The last check sees the address that the socket is connected to.
      const checkPeer = () => target.accepts(socket.remoteAddress ?? "") || fail(new OutboundError("outbound_refused"));
      // A queued request may get a connection that is already established, without a `connect` event.
      if (request.reusedSocket || !socket.connecting) return (ready(), checkPeer());
      const connectTimer = setTimeout(timeOut, connectTimeoutMs);
      timers.push(connectTimer);
      socket.once("connect", () => {
        clearTimeout(connectTimer);
        checkPeer();
      });
      socket.once(target.url.protocol === "https:" ? "secureConnect" : "connect", ready);
    });
    request.on("error", fail);
    request.once("response", (response) => {
      const certificateExpiry = options.wantsCertificate && certificateExpiryOf(response.socket);
      const whole = options.statusOnly ? discardBody(response) : readBody(response, maxBytes);
      whole.then((bytes) => {
        cleanUp();
        resolve({ ...toResponse(target.url, response, bytes), certificateExpiry });
      }, fail);
    });
    request.end(body);
  });
}

function refuseRedirect({ statusCode = 0 }: IncomingMessage): void {
  if (statusCode >= 300 && statusCode < 400 && statusCode !== 304) throw new OutboundError("outbound_redirect", { sent: true });
}

/** Closes a connection whose response has a body, and keeps one without for reuse. */
async function discardBody(response: IncomingMessage): Promise<Buffer> {
  refuseRedirect(response);
  if (response.statusCode === 204 || response.headers["content-length"] === "0") response.resume();
  else response.destroy();
  return Buffer.alloc(0);
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  refuseRedirect(response);
  if (Number(response.headers["content-length"] ?? 0) > maxBytes) throw new OutboundError("outbound_too_large", { sent: true });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new OutboundError("outbound_too_large", { sent: true });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function certificateExpiryOf(socket: Socket | TLSSocket): string | undefined {
  const endsMs = "getPeerCertificate" in socket ? Date.parse(socket.getPeerCertificate().valid_to) : NaN;
  return Number.isNaN(endsMs) ? undefined : new Date(endsMs).toISOString();
}

function toResponse(url: URL, response: IncomingMessage, bytes: Buffer): OutboundResponse {
  const { statusCode = 0, headers } = response;
  return {
    status: statusCode,
    headers,
    url: url.href,
    text: () => readText(bytes, headers["content-type"]),
    json: () => readJson(bytes, headers["content-type"]),
  };
}

/** Deeper than any real response, and far from exhausting the stack. */
const maxDepth = 100;

/** JSON is UTF-8 (RFC 8259 section 8.1), but some servers still send Latin-1. */
const charsets: Readonly<Record<string, "utf8" | "latin1">> = {
  "utf-8": "utf8",
  utf8: "utf8",
  "us-ascii": "utf8",
  "iso-8859-1": "latin1",
  latin1: "latin1",
};

function charsetOf(contentType: string | undefined): "utf8" | "latin1" | undefined {
  const named = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? "")?.[1]?.toLowerCase();
  if (named === undefined) return "utf8";
  return Object.hasOwn(charsets, named) ? charsets[named] : undefined;
}

export const readText = (bytes: Buffer, contentType: string | undefined): string => bytes.toString(charsetOf(contentType) ?? "utf8");

/** Parses a JSON body. SyntaxError when it is malformed, nested more than 100 deep, not valid UTF-8, or in an unknown charset. */
export function readJson(bytes: Buffer, contentType: string | undefined): unknown {
  const charset = charsetOf(contentType);
  if (charset === undefined || (charset === "utf8" && !isUtf8(bytes))) throw new SyntaxError("The body is in a charset that is not read");
  if (depthOf(bytes) > maxDepth) throw new SyntaxError("The body is nested too deep");
  // RFC 8259 lets a parser ignore a byte order mark.
  return JSON.parse(bytes.toString(charset).replace(/^\uFEFF/, "")) as unknown;
}

const [quote, backslash] = [0x22, 0x5c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The nesting depth of arrays and objects; stops counting above the maximum. */
function depthOf(bytes: Buffer): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < bytes.length && deepest <= maxDepth; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at);
    else if (byte === openBrace || byte === openBracket) deepest = Math.max(deepest, ++depth);
    else if (byte === closeBrace || byte === closeBracket) depth--;
  }
  return deepest;
}

/** The index of the closing quote: the next one that is not escaped. */
function endOfString(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(quote, start + 1); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let slashes = 0;
    while (bytes[end - 1 - slashes] === backslash) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return bytes.length;
}
