import { unseal } from "@vitaline/aws";
import type { VoiceProviderType } from "@vitaline/contract";
import { AppError, notFound } from "@vitaline/core";
import { OutboundError, type OutboundFetch, type OutboundOptions, type OutboundResponse } from "@vitaline/outbound";
import { keys, type TenantContext } from "@vitaline/store";
import * as z from "zod/mini";

/** `baseUrl` has no trailing slash. */
export type Connection = { apiKey: string; baseUrl?: string; model?: string; now(): Date; remainingMs(): number };

/** AppError `not_found`, `not_doable` for an inactive provider. */
export async function connectionTo(ctx: TenantContext, providerId: string): Promise<Connection & { providerType: VoiceProviderType }> {
  const [row, sealed] = await ctx.store.batchGet([keys.voiceProvider(providerId), keys.sealedVoiceKey(providerId)]);
  if (!row || !sealed) throw notFound();
  if (!row.isActive) throw new AppError("not_doable", "This voice provider is inactive. Please activate it first.");
  const apiKey = await unseal("voice-provider-key", ctx.tenantId, sealed.ciphertext);
  const { baseUrl, model } = row;
  return { providerType: row.providerType, apiKey, baseUrl, model, now: ctx.clock, remainingMs: () => ctx.deadline.remainingMs() };
}

const perRequestMs = 5000;
/** A page of 100 agents including their prompts. */
const maxBytes = 8 * 1024 * 1024;
const defaultWaitSeconds = 30;
const maxWaitSeconds = 3600;

const refusedKey = () => new AppError("voice_platform_auth", "The voice platform rejected the API key. Check it and enter it again.");
const unavailable = (cause?: unknown) =>
  new AppError("voice_platform_unavailable", "The voice platform does not answer at the moment. Please try again later.", { cause });
const invalidAnswer = (cause?: unknown) =>
  new AppError("voice_platform_invalid", "The address does not return a list of agents. Please check the base URL.", { cause });
const rateLimited = (retryAfterSeconds: number) =>
  new AppError("voice_platform_rate_limited", "The voice platform is limiting requests. Please try again in a moment.", {
    retryAfterSeconds,
  });

/** Sends a request and parses its JSON answer. AppErrors as ListAgents; the platform's own error text is not passed on. */
export async function requestJson<S extends z.ZodMiniType>(
  connection: Connection,
  fetch: OutboundFetch,
  url: string,
  schema: S,
  options: OutboundOptions,
): Promise<z.output<S>> {
  const response = await send(connection, fetch, url, options);
  requireSuccess(response, connection.now());
  const { success, data, error } = z.safeParse(schema, parseBody(response));
  if (!success) throw invalidAnswer(error);
  return data;
}

/** Not Found, Conflict, Gone. */
const goneStatuses = [404, 409, 410];
/** Bad Request, Unprocessable Content. */
const refusedStatuses = [400, 422];

/** Sends a request that is judged by its status alone. AppErrors as ListAgents. */
export async function sendCommand(
  connection: Connection,
  fetch: OutboundFetch,
  url: string,
  options: OutboundOptions,
): Promise<"done" | "gone" | "refused"> {
  const response = await send(connection, fetch, url, options);
  if (goneStatuses.includes(response.status)) return "gone";
  if (refusedStatuses.includes(response.status)) return "refused";
  requireSuccess(response, connection.now());
  return "done";
}

const send = async (connection: Connection, fetch: OutboundFetch, url: string, options: OutboundOptions): Promise<OutboundResponse> => {
  try {
    return await fetch(url, {
      ...options,
      headers: { Accept: "application/json", ...options.headers },
      timeoutMs: Math.min(perRequestMs, connection.remainingMs()),
      maxBytes,
      registeredOrigin: new URL(url).origin,
    });
  } catch (error) {
    if (!(error instanceof OutboundError) || error.code === "outbound_refused") throw error;
    throw error.code === "outbound_timeout" || error.code === "outbound_unreachable" ? unavailable(error) : invalidAnswer(error);
  }
};

const requireSuccess = ({ status, headers }: OutboundResponse, now: Date): void => {
  if (status >= 200 && status < 300) return;
  if (status === 401 || status === 403) throw refusedKey();
  if (status === 429) throw rateLimited(waitSeconds(headers["retry-after"], now));
  throw status >= 500 || status === 408 ? unavailable() : invalidAnswer();
};

const parseBody = (response: OutboundResponse): unknown => {
  try {
    return response.json();
  } catch (cause) {
    throw invalidAnswer(cause);
  }
};

/** Retry-After as seconds or as a date (RFC 9110, 10.2.3). */
const waitSeconds = (retryAfter: string | undefined, now: Date): number => {
  const seconds = /^\s*\d+\s*$/.test(retryAfter ?? "") ? Number(retryAfter) : (Date.parse(retryAfter ?? "") - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? defaultWaitSeconds : Math.min(Math.max(1, Math.ceil(seconds)), maxWaitSeconds);
};
