import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { createClientKeys } from "./client-keys.ts";
import { startDemoClient } from "./demo-client.ts";

const closers: (() => unknown)[] = [];
afterEach(() => Promise.all(closers.splice(0).map((close) => close())));

const serve = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => (server.closeAllConnections(), server.close()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`;
};

it("fetches a key set once for concurrent requests", async () => {
  const client = await startDemoClient();
  closers.push(client.close);
  const keys = createClientKeys();
  keys.register(client);
  const { kid } = client.keyFor("RS384");
  const found = await Promise.all(Array.from({ length: 6 }, () => keys.find(client.clientId, kid, "RS384")));
  expect(found.every((key) => typeof key === "object")).toBe(true);
  expect(client.fetches()).toBe(1);
});

it("answers 503 instead of 401 when a key set is slow, and asks again", async () => {
  let asked = 0;
  const jwksUrl = await serve((_, response) => {
    asked += 1;
    if (asked > 1) response.writeHead(404).end();
  });
  const keys = createClientKeys({ timeoutMs: 100 });
  keys.register({ clientId: "late", jwksUrl });
  await expect(keys.find("late", "one", "RS384")).rejects.toMatchObject({ status: 503, code: "temporarily_unavailable" });
  expect(await keys.find("late", "one", "RS384")).toBe("The client's key set could not be read");
  expect(asked).toBe(2);
});
