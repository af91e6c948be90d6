import { request as overHttp } from "node:http";
import { request as overHttps, type RequestOptions } from "node:https";
import { TLSSocket } from "node:tls";

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
