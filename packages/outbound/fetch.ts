import { lookup as dnsLookup } from "node:dns";
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
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
}

export interface OutboundResponse {
  status: number;
  /** Names in lower case, as node:http gives them. */
  headers: IncomingHttpHeaders;
  url: string;
  text(): string;
  /** Throws a SyntaxError when the body is not JSON. */
  json(): unknown;
}

export type OutboundFetch = (url: string, options?: OutboundOptions) => Promise<OutboundResponse>;

const defaultTimeoutMs = 2500;
const defaultMaxBytes = 1 << 20;
const connectTimeoutMs = 1000;
// The idle limit drops connections that the other side closed while Lambda was frozen.
const agentOptions = { keepAlive: true, maxSockets: 5, timeout: 4000 };

/**
 * Calls an address that somebody typed, or that another system named: public https only, checked before DNS, at DNS and at
 * the socket; no redirects; limited in time and size. Throws OutboundError.
 */
export const outboundFetch: OutboundFetch = createOutboundFetch(dnsLookup);

export function createOutboundFetch(resolveAll: ResolveAll): OutboundFetch {
  const [publicAgent, loopbackHttps, loopbackHttp] = [
    new HttpsAgent(agentOptions),
    new HttpsAgent(agentOptions),
    new HttpAgent(agentOptions),
  ];

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
    const request = open();
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
      if (request.reusedSocket) return (ready(), checkPeer());
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
      readBody(response, maxBytes).then((bytes) => {
        stopWatching();
        resolve(answerOf(target.url, response, bytes));
      }, end);
    });
    request.end(body);
  });
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const status = response.statusCode ?? 0;
  if (status >= 300 && status < 400 && status !== 304) throw new OutboundError("outbound_redirect", { sent: true });
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

function answerOf(url: URL, response: IncomingMessage, bytes: Buffer): OutboundResponse {
  const text = () => bytes.toString("utf8");
  return { status: response.statusCode ?? 0, headers: response.headers, url: url.href, text, json: () => JSON.parse(text()) as unknown };
}
