import { createHash, randomBytes } from "node:crypto";
import { lookup as dnsLookup } from "node:dns";
import { request as httpsRequest } from "node:https";
import type { Duplex } from "node:stream";
import { checkedLookup, checkTarget, OutboundError } from "./target.ts";

// As in fetch.ts: an ESM import would load undici.
const { request: httpRequest } = process.getBuiltinModule("node:http");

export type WebSocketOptions = {
  headers: Record<string, string>;
  /** Sent as one text message once the connection is open. */
  message: string;
  /** Whether a server's message ends the exchange; it may throw. */
  isAnswer(message: string): boolean;
  timeoutMs: number;
  registeredOrigin?: string;
};

/**
 * Of one message, in however many frames. The largest that a voice platform sends repeats a session with its instructions and tools, some
 * tens of kilobytes; more would fill the function's memory.
 */
const maxBytes = 1 << 20;
/** Source: RFC 6455 1.3. */
const acceptSuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const [opText, opClose] = [1, 8];
/** Source: RFC 6455 7.4.1. */
const closeCodes = { normal: 1000, tooLarge: 1009 } as const;
/** For the close frame to be sent to a server that reads slowly. */
const closingMs = 1000;

/** Sends one message over a WebSocket of its own, and closes it after the answer. Guarded as outboundFetch. Throws OutboundError. */
export async function sendOverWebSocket(address: string, options: WebSocketOptions): Promise<void> {
  const { headers, message, isAnswer, timeoutMs, registeredOrigin } = options;
  const target = checkTarget(address, registeredOrigin);
  const key = randomBytes(16).toString("base64");
  await new Promise<void>((resolve, reject) => {
    let opened: Duplex | undefined;
    const request = (target.url.protocol === "http:" ? httpRequest : httpsRequest)(target.url, {
      headers: { ...headers, Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": key },
      agent: false,
      lookup: checkedLookup(dnsLookup, target.accepts),
    });
    const end = (error?: unknown) => {
      clearTimeout(timer);
      if (!opened) request.destroy();
      else if (error === undefined) close(opened, closeCodes.normal);
      else if (error instanceof OutboundError && error.code === "outbound_too_large") close(opened, closeCodes.tooLarge);
      else opened.destroy();
      if (error === undefined) resolve();
      else
        reject(
          error instanceof OutboundError ? error : new OutboundError("outbound_unreachable", { sent: opened !== undefined, cause: error }),
        );
    };
    const timer = setTimeout(() => end(new OutboundError("outbound_timeout", { sent: opened !== undefined })), timeoutMs);
    request.on("error", end);
    request.once("socket", (socket) =>
      socket.once("connect", () => void (target.accepts(socket.remoteAddress ?? "") || end(new OutboundError("outbound_refused")))),
    );
    request.once("response", ({ statusCode }) => end(new Error(`The server answered ${statusCode} instead of a WebSocket`)));
    request.once("upgrade", (response, socket, head) => {
      opened = socket;
      if (response.headers["sec-websocket-accept"] !== acceptFor(key)) return end(new Error("The WebSocket handshake is wrong"));
      const read = messageReader((text) => {
        if (isAnswer(text)) end();
      });
      const receive = (bytes: Buffer) => {
        try {
          read(bytes);
        } catch (error) {
          end(error);
        }
      };
      socket
        .on("data", receive)
        .on("error", end)
        .on("close", () => end(new Error("The WebSocket was closed without an answer")));
      socket.write(maskedFrame(opText, Buffer.from(message)));
      receive(head);
    });
    request.end();
  });
}

/** Sends a close frame, and reads no more. */
function close(socket: Duplex, code: number): void {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  const destroy = () => void socket.destroy();
  const timer = setTimeout(destroy, closingMs).unref();
  socket
    .removeAllListeners("data")
    .pause()
    .once("finish", destroy)
    .once("close", () => clearTimeout(timer))
    .end(maskedFrame(opClose, payload));
}

const acceptFor = (key: string): string =>
  createHash("sha1")
    .update(key + acceptSuffix)
    .digest("base64");

/** A whole message in one frame, masked as a client's must be. Source: RFC 6455 5.2. */
function maskedFrame(op: number, payload: Buffer): Buffer {
  const mask = randomBytes(4);
  const head = payload.length < 126 ? Buffer.from([0x80 | op, 0x80 | payload.length]) : Buffer.from([0x80 | op, 0x80 | 126, 0, 0]);
  if (payload.length > 0xffff) throw new OutboundError("outbound_too_large");
  if (payload.length >= 126) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, mask, payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0))]);
}

/** Calls `take` with each complete text message; throws at a close frame, and at too many bytes of a message in any number of frames. */
function messageReader(take: (text: string) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  let parts: Buffer[] = [];
  let size = 0;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    if (rest.length > maxBytes) throw new OutboundError("outbound_too_large", { sent: true });
    for (let frame = nextFrame(rest); frame; frame = nextFrame(rest)) {
      rest = rest.subarray(frame.end);
      if (frame.op === opClose) throw new Error("The server closed the WebSocket");
      // Pings need no answer within so short a connection.
      if (frame.op > opClose) continue;
      size += frame.payload.length;
      if (size > maxBytes) throw new OutboundError("outbound_too_large", { sent: true });
      if (frame.payload.length > 0) parts.push(frame.payload);
      if (!frame.isFinal) continue;
      const whole = Buffer.concat(parts).toString();
      [parts, size] = [[], 0];
      take(whole);
    }
  };
}

type Frame = { op: number; isFinal: boolean; payload: Buffer; end: number };

/** undefined until the frame is complete. A server's frames are not masked. */
function nextFrame(bytes: Buffer): Frame | undefined {
  const [first = 0, second = 0] = bytes;
  const short = second & 0x7f;
  const start = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < start) return undefined;
  const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (length > maxBytes) throw new OutboundError("outbound_too_large", { sent: true });
  const end = start + length;
  return bytes.length < end ? undefined : { op: first & 0x0f, isFinal: (first & 0x80) !== 0, payload: bytes.subarray(start, end), end };
}
