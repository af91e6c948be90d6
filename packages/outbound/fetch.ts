import { lookup as dnsLookup } from "node:dns";
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { readJson, readText } from "./body.ts";
import { OutboundError } from "./errors.ts";
import { checkedLookup, type ResolveAll } from "./lookup.ts";
import { checkTarget, type Target } from "./target.ts";

// An ESM import of node:http reads all its exports, and one of them loads undici: 20 ms of every cold start.
const { Agent: HttpAgent, request: httpRequest } = process.getBuiltinModule("node:http");

export interface OutboundOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** From the first step to the last byte; 2500 unless told. */
  timeoutMs?: number;
  /** Largest answer; 1 MiB unless told. */
  maxBytes?: number;
  signal?: AbortSignal;
  /** The origin an administrator saved; only it may name a port other than 443. */
  savedOrigin?: string;
  /** Answer as soon as the status and headers are there: the body is thrown away, and the answer's is empty. */
  statusOnly?: true;
  /** Also say when the server's TLS certificate ends. */
  wantsCertificate?: true;
}

export interface OutboundResponse {
  status: number;
  /** Names in lower case, as node:http gives them. */
  headers: IncomingHttpHeaders;
  url: string;
  /** When the server's TLS certificate ends: only over https, and when it was asked for. */
  certificateExpiry?: string;
  /** In the charset that the answer names, as far as we know it; odd bytes are replaced. */
  text(): string;
  /** Throws a SyntaxError when the body is not JSON, is nested beyond reason, or is in a charset that JSON is not written in. */
  json(): unknown;
}

export type OutboundFetch = (url: string, options?: OutboundOptions) => Promise<OutboundResponse>;

const defaultTimeoutMs = 2500;
const defaultMaxBytes = 1 << 20;
const connectTimeoutMs = 1000;
// The idle limit drops connections that the other side closed while Lambda was frozen.
const agentOptions = { keepAlive: true, timeout: 4000 };
/** To one origin; no tool asks for more at once. */
const usualSockets = 10;

/**
 * Calls an address that somebody typed, or that another system named: public https only, checked before DNS, at DNS and at
 * the socket; no redirects; limited in time and size. Throws OutboundError.
 */
export const outboundFetch: OutboundFetch = createOutboundFetch(dnsLookup);

/**
 * The same, for whoever bounds by himself how much is under way: many tenants may send to one origin, and what waits in line there
 * would use up its own time.
 */
export const unqueuedFetch: OutboundFetch = createOutboundFetch(dnsLookup, Number.POSITIVE_INFINITY);

export function createOutboundFetch(resolveAll: ResolveAll, maxSockets: number = usualSockets): OutboundFetch {
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
    const target = checkTarget(url, options.savedOrigin);
    return exchange(target, options, () => open(target, options));
  };
}

/** One request and its answer; whatever ends it early destroys the socket and says whether the request had left. */
function exchange(target: Target, options: OutboundOptions, open: () => ClientRequest): Promise<OutboundResponse> {
  const { body, timeoutMs = defaultTimeoutMs, maxBytes = defaultMaxBytes, signal } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted || timeoutMs <= 0) return reject(new OutboundError("outbound_timeout"));
    let request: ClientRequest;
    try {
      request = open();
    } catch (error) {
      // Node refuses headers that no request may have.
      return reject(new OutboundError("outbound_unreachable", { sent: false, cause: error }));
    }
    let sent = false;
    const end = (error: unknown) => {
      stopWatching();
      request.destroy();
      reject(error instanceof OutboundError ? error : new OutboundError("outbound_unreachable", { sent, cause: error }));
    };
    const tooLate = () => end(new OutboundError("outbound_timeout", { sent }));
    const timers = [setTimeout(tooLate, timeoutMs)];
    const stopWatching = () => {
      timers.forEach(clearTimeout);
      signal?.removeEventListener("abort", tooLate);
    };
    signal?.addEventListener("abort", tooLate);

    request.once("socket", (socket) => {
      const ready = () => void (sent = true);
      // The last check sees the address that was really reached.
      const checkPeer = () => target.accepts(socket.remoteAddress ?? "") || end(new OutboundError("outbound_refused"));
      // A request that waited in line may be handed a connection that stands already, and is not told so
      if (request.reusedSocket || !socket.connecting) return (ready(), checkPeer());
      const connectTimer = setTimeout(tooLate, connectTimeoutMs);
      timers.push(connectTimer);
      socket.once("connect", () => {
        clearTimeout(connectTimer);
        checkPeer();
      });
      socket.once(target.url.protocol === "https:" ? "secureConnect" : "connect", ready);
    });
    request.on("error", end);
    request.once("response", (response) => {
      const certificateExpiry = options.wantsCertificate && expiryOf(response.socket);
      const whole = options.statusOnly ? discardBody(response) : readBody(response, maxBytes);
      whole.then((bytes) => {
        stopWatching();
        resolve({ ...answerOf(target.url, response, bytes), certificateExpiry });
      }, end);
    });
    request.end(body);
  });
}

function refuseRedirect({ statusCode = 0 }: IncomingMessage): void {
  if (statusCode >= 300 && statusCode < 400 && statusCode !== 304) throw new OutboundError("outbound_redirect", { sent: true });
}

/** A connection with a body on it is not waited for, so it is given up; one without is kept. */
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

function expiryOf(socket: Socket | TLSSocket): string | undefined {
  const endsMs = "getPeerCertificate" in socket ? Date.parse(socket.getPeerCertificate().valid_to) : NaN;
  return Number.isNaN(endsMs) ? undefined : new Date(endsMs).toISOString();
}

function answerOf(url: URL, response: IncomingMessage, bytes: Buffer): OutboundResponse {
  const { statusCode = 0, headers } = response;
  return {
    status: statusCode,
    headers,
    url: url.href,
    text: () => readText(bytes, headers["content-type"]),
    json: () => readJson(bytes, headers["content-type"]),
  };
}
