import { dayMs, envReader, errorFields, log, type LogFields, logWith } from "@vitaline/core";
import * as z from "zod/mini";
import type { EventInvocation } from "../../lib/context/platform-context.ts";
import { request as overHttps, type RequestOptions } from "node:https";
import { TLSSocket } from "node:tls";

// An ESM import of node:http reads all its exports, and one of them loads undici.
const { request: overHttp } = process.getBuiltinModule("node:http");

const timeoutMs = 10_000;

/** One GET on a connection of its own. `certificateEndsAt`: of the certificate that the address shows; none over HTTP. */
export const askOnce = (url: URL, options: RequestOptions = {}): Promise<{ status: number; certificateEndsAt: Date | undefined }> =>
  new Promise((resolve, reject) => {
    const request = url.protocol === "https:" ? overHttps : overHttp;
    const signal = AbortSignal.timeout(timeoutMs);
    const asked = request(url, { agent: false, signal, headers: { "user-agent": "vitaline-canary" }, ...options }, (response) => {
      const { socket, statusCode: status = 0 } = response;
      const certificateEndsAt = socket instanceof TLSSocket ? new Date(socket.getPeerCertificate().valid_to) : undefined;
      response.resume().once("end", () => resolve({ status, certificateEndsAt }));
      response.once("error", reject);
    });
    asked.once("error", reject).end();
  });

const environment = envReader(z.object({ CANARY_ORIGIN: z.string() }));

/** Every minute: asks the public address as a client does, through DNS, certificate, firewall, CloudFront and API Gateway. */
export const handler = async (_event: unknown, { awsRequestId }: Pick<EventInvocation, "awsRequestId">): Promise<void> => {
  const startedAtMs = performance.now();
  const found = await lookAt(new URL("/api/public/health", environment().CANARY_ORIGIN));
  const ms = Math.round(performance.now() - startedAtMs);
  logWith(log, { requestId: awsRequestId })(found.failed ? "error" : "info", "canary.answered", { ...found, ms });
};

async function lookAt(url: URL): Promise<LogFields> {
  try {
    const { status, certificateEndsAt } = await askOnce(url);
    const days = certificateEndsAt && Math.floor((certificateEndsAt.getTime() - Date.now()) / dayMs);
    return { httpStatus: status, failed: status === 200 ? 0 : 1, days };
  } catch (error) {
    return { ...errorFields(error), failed: 1 };
  }
}
