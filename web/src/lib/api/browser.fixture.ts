import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { vi } from "vitest";

export type Asked = { method: string; path: string; headers: IncomingMessage["headers"]; body: string };
export type Answer = { status: number; body?: string; type?: string; before?: () => void };

const listen = async (answer: (asked: Asked) => Answer): Promise<{ origin: string; asked: Asked[]; close: () => Promise<void> }> => {
  const asked: Asked[] = [];
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const one = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body };
    asked.push(one);
    const { status, body: text, type = "application/json", before } = answer(one);
    before?.();
    response.writeHead(status, { "content-type": type }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  let closed: Promise<void> | undefined;
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => (closed ??= new Promise((resolve) => void server.close(() => resolve()))),
  };
};

const storageOf = (stored: Map<string, string>) => ({
  getItem: (name: string) => stored.get(name) ?? null,
  setItem: (name: string, value: string) => void stored.set(name, value),
  removeItem: (name: string) => void stored.delete(name),
});

/** The browser APIs of the web code around a real HTTP server: storages, and fetch on the page's origin. */
export const openBrowser = async (answer: (asked: Asked) => Answer) => {
  const [stored, storedInTab] = [new Map<string, string>(), new Map<string, string>()];
  vi.stubGlobal("localStorage", storageOf(stored));
  vi.stubGlobal("sessionStorage", storageOf(storedInTab));
  const server = await listen(answer);
  const fetchAnywhere = globalThis.fetch;
  vi.stubGlobal("fetch", (address: string, init: RequestInit) => fetchAnywhere(new URL(address, server.origin), init));
  return {
    stored,
    asked: server.asked,
    hangUp: server.close,
    close: () => {
      vi.unstubAllGlobals();
      void server.close();
    },
  };
};
