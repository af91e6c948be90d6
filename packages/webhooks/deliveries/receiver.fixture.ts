import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { allowLoopback } from "@vitaline/outbound";
import { Webhook } from "standardwebhooks";

export type Received = { path: string; id: string; headers: IncomingHttpHeaders; body: string };
type Whole = { status: number; headers?: Record<string, string>; body?: Buffer | "unfinished"; afterMs?: number };
type Answer = number | Whole | "silence" | "cut";

const localArn = "arn:aws:lambda:us-east-1:000000000000:function:vitaline-deliver";

/** A local webhook receiver that the outbound guard allows; answers 204 by default. */
export async function startReceiver() {
  const received: Received[] = [];
  const answers = new Map<string, (nth: number) => Answer>();
  /** Per path: requests waiting for an answer now, and the maximum so far. */
  const waiting = new Map<string, { now: number; most: number }>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      received.push({ path, id: String(request.headers["webhook-id"]), headers: request.headers, body: Buffer.concat(chunks).toString() });
      const answer = answers.get(path)?.(received.filter((one) => one.path === path).length) ?? 204;
      if (answer === "silence") return;
      if (answer === "cut") return void request.socket.destroy();
      const { status, headers = {}, body, afterMs = 0 }: Whole = typeof answer === "number" ? { status: answer } : answer;
      const { now = 0, most = 0 } = waiting.get(path) ?? {};
      waiting.set(path, { now: now + 1, most: Math.max(most, now + 1) });
      setTimeout(() => {
        const { now: before = 1, most: ever = 1 } = waiting.get(path) ?? {};
        waiting.set(path, { now: before - 1, most: ever });
        response.writeHead(status, headers);
        if (body === "unfinished") response.write("[");
        else response.end(body);
      }, afterMs);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const closed = createServer();
  await new Promise<void>((done) => closed.listen(0, "127.0.0.1", done));
  const downOrigin = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
  await new Promise((done) => closed.close(done));
  const before = process.env["EGRESS_LOOPBACK_ORIGINS"];
  process.env["EGRESS_LOOPBACK_ORIGINS"] = [before, origin, downOrigin].filter(Boolean).join(",");
  allowLoopback(localArn);
  return {
    origin,
    /** Allowed by the guard, but nothing listens there. */
    downOrigin,
    received,
    at: (path: string): Received[] => received.filter((one) => one.path === path),
    mostAtOnce: (path: string): number => waiting.get(path)?.most ?? 0,
    /** Sets the answer of a path; `nth` counts from one. */
    answers: (path: string, answer: Answer | ((nth: number) => Answer)): void =>
      void answers.set(path, typeof answer === "function" ? answer : () => answer),
    async close(): Promise<void> {
      if (before === undefined) delete process.env["EGRESS_LOOPBACK_ORIGINS"];
      else process.env["EGRESS_LOOPBACK_ORIGINS"] = before;
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Verifies the signature with the standard's own library; throws if it is invalid. */
export const verified = (secret: string, { headers, body }: Received): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>);
