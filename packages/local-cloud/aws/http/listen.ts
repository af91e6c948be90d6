import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { StartError } from "../../lib/run.ts";
import { send } from "./respond.ts";
import type { Answer } from "../types.ts";

export async function listen(port: number, answer: (request: IncomingMessage) => Promise<Answer | "cut">) {
  const running = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const work = handle(request, response, answer).finally(() => running.delete(work));
    running.add(work);
  });
  // Idle connections stay open, so that a client never writes to one that was just closed
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(portTaken(error, port)));
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      await Promise.allSettled(running);
      server.closeAllConnections();
      await closed;
    },
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (request: IncomingMessage) => Promise<Answer | "cut">,
): Promise<void> {
  try {
    const answered = await answer(request);
    if (answered === "cut") request.socket.destroy();
    else await send(response, answered);
    // Drains the unread body so that it does not precede the next request
    request.resume();
  } catch {
    // The client disconnected, or a file failed in the middle of an answer
    request.socket.destroy();
  }
}

function portTaken(error: NodeJS.ErrnoException, port: number): Error {
  return error.code === "EADDRINUSE"
    ? new StartError(`Port ${port} is in use: stop what uses it or choose another.`, { cause: error })
    : error;
}
