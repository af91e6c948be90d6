import { createServer as createPlainServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { selfSigned } from "../../../test/kit/certificate.ts";
import { askOnce } from "./handler.ts";
import { handler } from "./handler.ts";

const servers: Server[] = [];
const { env } = process;
afterEach(() => {
  process.env = env;
  for (const server of servers.splice(0)) server.close();
});

const opened = async (server: Server): Promise<number> => {
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "localhost", done));
  return (server.address() as AddressInfo).port;
};
const site = async (answer: RequestListener): Promise<string> => `http://localhost:${await opened(createPlainServer(answer))}`;

async function lineOfRun(origin: string): Promise<Record<string, unknown>> {
  process.env = { ...process.env, CANARY_ORIGIN: origin, AWS_LAMBDA_FUNCTION_NAME: "vitaline-demo-events-canary" };
  const written: string[] = [];
  const spy = vi.spyOn(process.stdout, "write").mockImplementation((chunk) => (written.push(String(chunk)), true));
  await handler({}, { awsRequestId: "run-1" }).finally(() => spy.mockRestore());
  return JSON.parse(written.join("")) as Record<string, unknown>;
}

describe("the canary", () => {
  test("counts the public health route's 200 as well, and any other answer as a failure", async () => {
    const asked: (string | undefined)[] = [];
    const well = await site((request, response) => (asked.push(request.url), response.end("{}")));
    expect(await lineOfRun(well)).toMatchObject({ httpStatus: 200, CanaryFailed: 0, CanaryDuration: expect.any(Number) });
    expect(asked).toEqual(["/api/public/health"]);
    const ill = await site((_request, response) => response.writeHead(503).end());
    expect(await lineOfRun(ill)).toMatchObject({ httpStatus: 503, CanaryFailed: 1, level: "error" });
  });

  test("counts an address that does not answer as a failure, and does not fail itself", async () => {
    const cut = await site((request) => request.socket.destroy());
    expect(await lineOfRun(cut)).toMatchObject({ CanaryFailed: 1, code: "ECONNRESET" });
  });

  test("tells until when the certificate of the address is good, and refuses one that it cannot trust", async () => {
    const notAfter = new Date(Math.floor(Date.now() / 1000 + 100 * 86_400) * 1000);
    const { certificate: cert, privateKey: key } = selfSigned("localhost", { notAfter });
    const url = new URL(`https://localhost:${await opened(createTlsServer({ cert, key }, (_request, response) => response.end()))}`);
    expect(await askOnce(url, { ca: cert })).toEqual({ status: 200, certificateEndsAt: notAfter });
    await expect(askOnce(url)).rejects.toMatchObject({ code: expect.stringContaining("SELF_SIGNED") });
  });
});
