import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

const acceptSuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** A text message of up to 65535 bytes in two frames, as servers may split them. Source: RFC 6455 5.2, 5.4. */
const framesOf = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  const half = bytes.length >> 1;
  return Buffer.concat([frame(0x01, bytes.subarray(0, half)), frame(0x80, bytes.subarray(half))]);
};

const frame = (first: number, payload: Buffer): Buffer => {
  const head =
    payload.length < 126 ? Buffer.from([first, payload.length]) : Buffer.from([first, 126, payload.length >> 8, payload.length & 255]);
  return Buffer.concat([head, payload]);
};

/** The text of a client's frame of up to 65535 bytes; undefined for an unmasked one, which a server must refuse. */
const textIn = (bytes: Buffer): string | undefined => {
  const [first = 0, second = 0] = bytes;
  if ((first & 0x0f) !== 1 || (second & 0x80) === 0) return undefined;
  const isLong = (second & 0x7f) === 126;
  const start = isLong ? 8 : 6;
  const mask = bytes.subarray(start - 4, start);
  const length = isLong ? bytes.readUInt16BE(2) : second & 0x7f;
  return Buffer.from(bytes.subarray(start, start + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0))).toString();
};

/** Opens the WebSocket, sends `first`, and sends the answer to each message of the client. If `answer` throws, the socket is closed. */
export function openSideband(request: IncomingMessage, socket: Duplex, first: object, answer: (message: unknown) => object): void {
  const key = String(request.headers["sec-websocket-key"]);
  const accept = createHash("sha1")
    .update(key + acceptSuffix)
    .digest("base64");
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
  socket.write(framesOf(JSON.stringify(first)));
  socket.on("error", () => socket.destroy()).once("end", () => socket.destroy());
  socket.on("data", (bytes: Buffer) => {
    const text = textIn(bytes);
    if (text === undefined) return socket.end();
    try {
      socket.write(framesOf(JSON.stringify(answer(JSON.parse(text)))));
    } catch {
      socket.destroy();
    }
  });
}

export const refuseUpgrade = (socket: Duplex, status: number): void =>
  void socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
