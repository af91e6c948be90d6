import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowLoopback } from "./target.ts";
import { sendOverWebSocket } from "./websocket.ts";

let server: Server;
let origin = "";
let upgrades = 0;
beforeAll(async () => {
  server = createServer((_request, response) => response.writeHead(401).end());
  server.on("upgrade", (request, socket) => {
    upgrades += 1;
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
});
