import { errorFields, isAppError } from "@vitaline/core";
import { unqueuedFetch } from "@vitaline/outbound";
import type { DeliveryRow } from "@vitaline/store";
import { signatureHeaders } from "../subscriptions/secret.ts";

export type Attempt = DeliveryRow["attempts"][number];

/** `id` is the delivery's, the same for each attempt. */
export type Message = { url: string; id: string; body: string; secrets: readonly string[] };

/**
 * Sends a payload once. Only a 2xx is well; the status alone decides, and what else is answered is neither waited for nor read.
 * `at` is the attempt's own time, which is signed.
 */
export async function send({ url, id, body, secrets }: Message, at: Date, timeoutMs: number): Promise<Attempt> {
  const startedAtMs = performance.now();
  const ended = (told: Pick<Attempt, "httpStatus" | "code">): Attempt => ({
    at: at.toISOString(),
    ms: Math.round(performance.now() - startedAtMs),
    ...told,
  });
  try {
    const { status: httpStatus } = await unqueuedFetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", "User-Agent": "Vitaline-Webhooks/1", ...signatureHeaders(secrets, id, at, body) },
      body,
      timeoutMs,
      statusOnly: true,
      savedOrigin: new URL(url).origin,
    });
    return ended(httpStatus >= 200 && httpStatus < 300 ? { httpStatus } : { httpStatus, code: "http_status" });
  } catch (error) {
    return ended({ code: isAppError(error) ? error.code : (errorFields(error).errorName ?? "unknown") });
  }
}
