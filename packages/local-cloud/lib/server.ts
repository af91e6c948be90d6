import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { jsonResponse, type HttpRequest, type HttpResponse } from "./message.ts";

export type Answer = (request: HttpRequest) => Promise<HttpResponse>;

export type HttpServer = { port: number; server: Server; close(): Promise<void> };

const bodyLimitBytes = 20 * 1024 * 1024;

/** Listens on 127.0.0.1. `first` runs before the body is read and returns true when it has taken the request. */
export async function serveHttp(
  port: number,
  answer: Answer,
  first?: (request: IncomingMessage, response: ServerResponse) => boolean,
): Promise<HttpServer> {
  const server = createServer({ requestTimeout: 60_000 }, (request, response) => {
    if (first?.(request, response)) return;
    void respond(request, response, answer);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    server,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function respond(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  try {
    const body = await readBody(request);
    send(request, response, body ? await answer(readRequest(request, body)) : jsonResponse(413, { message: "Request Entity Too Large" }));
  } catch (error) {
    // A disconnected client needs no answer; every other error is a defect of this tool
    if (request.destroyed && !response.writable) return;
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    if (!response.headersSent) send(request, response, jsonResponse(502, { message: "The local platform failed to answer." }));
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= bodyLimitBytes) chunks.push(chunk);
  }
  return size <= bodyLimitBytes ? Buffer.concat(chunks) : undefined;
}

function readRequest(request: IncomingMessage, body: Buffer): HttpRequest {
  const [path = "/", ...query] = (request.url ?? "/").split("?");
  const { rawHeaders } = request;
  const headers = rawHeaders.flatMap((text, index): [string, string][] =>
    index % 2 === 0 ? [[text.toLowerCase(), rawHeaders[index + 1] ?? ""]] : [],
  );
  return {
    method: request.method ?? "GET",
    path,
    query: query.join("?"),
    headers,
    body,
    sourceIp: (request.socket.remoteAddress ?? "").replace(/^::ffff:/, ""),
  };
}

/** Hop-by-hop headers, RFC 9110 section 7.6.1. */
const perConnection = new Set(["connection", "keep-alive", "transfer-encoding", "upgrade", "proxy-connection", "content-length"]);

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: HttpResponse): void {
  const bodiless = status === 204 || status === 304;
  const lines = headers.filter(([name]) => !perConnection.has(name)).flat();
  response.writeHead(status, [...lines, ...(bodiless ? [] : ["content-length", String(body.length)])]);
  response.end(bodiless || request.method === "HEAD" ? undefined : body);
}
