import { errorFields, isAppError } from "@vitaline/core";
import { unqueuedFetch } from "@vitaline/outbound";
import type { DeliveryRow } from "@vitaline/store";
import { signatureHeaders } from "../subscriptions/secret.ts";

export type Attempt = DeliveryRow["attempts"][number];

export type Message = { url: string; id: string; body: string; secrets: readonly string[] };

/** Any status but 2xx is a failure; the response body is not read. `at` is the signed timestamp. */
export async function send({ url, id, body, secrets }: Message, at: Date, timeoutMs: number): Promise<Attempt> {
  const startedAtMs = performance.now();
  const ended = (outcome: Pick<Attempt, "httpStatus" | "code">): Attempt => ({
    at: at.toISOString(),
    ms: Math.round(performance.now() - startedAtMs),
    ...outcome,
  });
  try {
    const { status: httpStatus } = await unqueuedFetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", "User-Agent": "Vitaline-Webhooks/1", ...signatureHeaders(secrets, id, at, body) },
      body,
      timeoutMs,
      statusOnly: true,
      registeredOrigin: new URL(url).origin,
    });
    return ended(httpStatus >= 200 && httpStatus < 300 ? { httpStatus } : { httpStatus, code: "http_status" });
  } catch (error) {
    return ended({ code: isAppError(error) ? error.code : (errorFields(error).errorName ?? "unknown") });
  }
}
