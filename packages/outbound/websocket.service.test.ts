import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { allowLoopback } from "./target.ts";
import { sendOverWebSocket } from "./websocket.ts";

/** A server's frame, which is not masked. Source: RFC 6455 5.2. */
function frame(payload: Buffer, { op = 1, isFinal = true } = {}): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt8((isFinal ? 0x80 : 0) | op);
  head.writeUInt8(127, 1);
  head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}
const part = (bytes: number, more: object = {}) => frame(Buffer.alloc(bytes, "x"), { op: 0, isFinal: false, ...more });
const kilobytes = 1024;
const messages = new Map([
  ["/whole", [part(300 * kilobytes, { op: 1 }), frame(Buffer.alloc(0), { op: 9 }), part(300 * kilobytes, { isFinal: true })]],
  ["/many", Array.from({ length: 10 }, (_, nth) => part(600 * kilobytes, { op: nth === 9 ? 1 : 2, isFinal: true }))],
  ["/endless", Array.from({ length: 20 }, () => part(64 * kilobytes))],
  ["/huge", [part(2000 * kilobytes, { op: 1, isFinal: true })]],
]);

/** The codes that clients closed with. */
const closes: number[] = [];
function talk(request: IncomingMessage, socket: Duplex, replies: Buffer[]): void {
  const accept = createHash("sha1").update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
  let received = Buffer.alloc(0);
  socket.on("data", (bytes: Buffer) => void (received = Buffer.concat([received, bytes])));
  socket.on("error", () => {});
  // The client's first message is "{}": six bytes of head and mask, and two of text.
  socket.on("end", () => {
    const close = received.subarray(8);
    if (close[0] === 0x88) closes.push(close.readUInt16BE(6) ^ close.readUInt16BE(2));
    socket.destroy();
  });
  for (const reply of replies) socket.write(reply);
}

let server: Server;
let origin = "";
let upgrades = 0;
beforeAll(async () => {
  server = createServer((_request, response) => response.writeHead(401).end());
  server.on("upgrade", (request, socket) => {
    upgrades += 1;
    const replies = messages.get(request.url ?? "");
    if (replies) return talk(request, socket, replies);
    if (request.url === "/silent") return void socket.once("end", () => socket.destroy()).resume();
    if (request.url === "/refused") return socket.end("HTTP/1.1 401 Refused\r\nContent-Length: 0\r\n\r\n");
    // The accept header of another key.
    socket.end("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: AAAA\r\n\r\n");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env.EGRESS_LOOPBACK_ORIGINS = origin;
  allowLoopback("arn:aws:lambda:us-east-1:000000000000:function:vitaline-voice");
});
afterAll(() => {
  delete process.env.EGRESS_LOOPBACK_ORIGINS;
  allowLoopback("");
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  closes.splice(0);
  upgrades = 0;
});

const codeOf = (url: string, timeoutMs = 2000) =>
  sendOverWebSocket(url, { headers: {}, message: "{}", isAnswer: () => true, timeoutMs }).then(
    () => "answered",
    ({ code }: { code: string }) => code,
  );

describe("V03: a WebSocket to a supplied URL", () => {
  it.each(["https://169.254.169.254/", "https://localhost/", "http://example.com/", "wss://example.com/", "https://ehr.internal/"])(
    "is refused for %s, as other requests are",
    async (url) => {
      expect(await codeOf(url)).toBe("outbound_refused");
    },
  );

  it("ends with an error at a refusal, a wrong handshake, and silence", async () => {
    expect(await codeOf(`${origin}/refused`)).toBe("outbound_unreachable");
    expect(await codeOf(`${origin}/wrong`)).toBe("outbound_unreachable");
    expect(await codeOf(`${origin}/silent`, 100)).toBe("outbound_timeout");
    expect(upgrades).toBe(3);
  });

  const lengthsOf = async (path: string, isAnswer: (text: string) => boolean): Promise<{ lengths: number[]; code?: string }> => {
    const lengths: number[] = [];
    const take = (text: string) => (lengths.push(text.length), isAnswer(text));
    const options = { headers: {}, message: "{}", isAnswer: take, timeoutMs: 5000 };
    return sendOverWebSocket(`${origin}${path}`, options).then(
      () => ({ lengths }),
      ({ code }: { code: string }) => ({ lengths, code }),
    );
  };

  it("puts the frames of a message together, each message with a limit of its own, and closes normally after the answer", async () => {
    expect(await lengthsOf("/whole", () => true)).toEqual({ lengths: [600 * kilobytes] });
    let left = 10;
    expect((await lengthsOf("/many", () => --left === 0)).lengths).toHaveLength(10);
    await vi.waitFor(() => expect(closes).toEqual([1000, 1000]), { timeout: 20_000 });
  });

  it("refuses a message above one megabyte, in one frame or without an end, and tells the server why", async () => {
    for (const path of ["/huge", "/endless"])
      expect(await lengthsOf(path, () => true)).toEqual({ lengths: [], code: "outbound_too_large" });
    await vi.waitFor(() => expect(closes).toEqual([1009, 1009]), { timeout: 20_000 });
  });
});
