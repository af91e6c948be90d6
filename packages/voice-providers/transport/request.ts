import { AppError, notFound } from "@vitaline/core";
import { OutboundError, type OutboundFetch, type OutboundOptions, type OutboundResponse } from "@vitaline/outbound";
import * as z from "zod/mini";
import { unseal } from "@vitaline/aws";
import type { VoiceProviderType } from "@vitaline/contract";
import { keys, type TenantContext } from "@vitaline/store";

/** What is needed to ask a voice platform: the tenant's key, where, and by when. `baseUrl` ends without a slash. */
export type Connection = { apiKey: string; baseUrl?: string; model?: string; now(): Date; remainingMs(): number };

/** What is needed to ask the platform of an active provider. AppError `not_found`, `not_doable` for an inactive one. */
export async function connectionTo(ctx: TenantContext, providerId: string): Promise<Connection & { providerType: VoiceProviderType }> {
  const [row, sealed] = await ctx.store.batchGet([keys.voiceProvider(providerId), keys.sealedVoiceKey(providerId)]);
  if (!row || !sealed) throw notFound();
  if (!row.isActive) throw new AppError("not_doable", "This voice provider is inactive. Please activate it first.");
  const apiKey = await unseal("voice-provider-key", ctx.tenantId, sealed.ciphertext);
  const { baseUrl, model } = row;
  return { providerType: row.providerType, apiKey, baseUrl, model, now: ctx.clock, remainingMs: () => ctx.deadline.remainingMs() };
}

const perRequestMs = 5000;
/** A page of a hundred agents, each with its whole prompt. */
const maxBytes = 8 * 1024 * 1024;
const usualWaitSeconds = 30;
const longestWaitSeconds = 3600;

const refusedKey = () => new AppError("voice_platform_auth", "The platform refused the API key.");
const unavailable = (cause?: unknown) =>
  new AppError("voice_platform_unavailable", "The voice platform does not answer at the moment. Please try again later.", { cause });
const invalidAnswer = (cause?: unknown) =>
  new AppError("voice_platform_invalid", "The address answers with something else than a list of agents. Please check the base URL.", {
    cause,
  });
const rateLimited = (retryAfterSeconds: number) =>
  new AppError("voice_platform_rate_limited", "The voice platform wants fewer requests. Please try again in a moment.", {
    retryAfterSeconds,
  });

/** One request to a platform's API and its JSON answer; the platform's own words end here. AppErrors as ListAgents has them. */
export async function requestJson<S extends z.ZodMiniType>(
  connection: Connection,
  fetch: OutboundFetch,
  url: string,
  schema: S,
  options: OutboundOptions,
): Promise<z.output<S>> {
  const response = await send(connection, fetch, url, options);
  refuseStatus(response, connection.now());
  const { success, data, error } = z.safeParse(schema, bodyOf(response));
  if (!success) throw invalidAnswer(error);
  return data;
}

/**
 * One order to a platform's API, of whose answer the status says all: "gone" where its object is not there (any more), "refused"
 * where it is not as the platform wants it. Other AppErrors as ListAgents has them.
 */
export async function sendCommand(
  connection: Connection,
  fetch: OutboundFetch,
  url: string,
  options: OutboundOptions,
): Promise<"done" | "gone" | "refused"> {
  const response = await send(connection, fetch, url, options);
  if (gone.includes(response.status)) return "gone";
  if (refused.includes(response.status)) return "refused";
  refuseStatus(response, connection.now());
  return "done";
}
/** Not Found, Conflict, Gone. */
const gone = [404, 409, 410];
/** Bad Request, Unprocessable Content. */
const refused = [400, 422];

const send = async (connection: Connection, fetch: OutboundFetch, url: string, options: OutboundOptions): Promise<OutboundResponse> => {
  try {
    return await fetch(url, {
      ...options,
      headers: { Accept: "application/json", ...options.headers },
      timeoutMs: Math.min(perRequestMs, connection.remainingMs()),
      maxBytes,
      savedOrigin: new URL(url).origin,
    });
  } catch (error) {
    if (!(error instanceof OutboundError) || error.code === "outbound_refused") throw error;
    throw error.code === "outbound_timeout" || error.code === "outbound_unreachable" ? unavailable(error) : invalidAnswer(error);
  }
};

const refuseStatus = ({ status, headers }: OutboundResponse, now: Date): void => {
  if (status >= 200 && status < 300) return;
  if (status === 401 || status === 403) throw refusedKey();
  if (status === 429) throw rateLimited(waitSeconds(headers["retry-after"], now));
  throw status >= 500 || status === 408 ? unavailable() : invalidAnswer();
};

const bodyOf = (response: OutboundResponse): unknown => {
  try {
    return response.json();
  } catch (cause) {
    throw invalidAnswer(cause);
  }
};

/** Retry-After as seconds or as a date (RFC 9110, 10.2.3), within reason. */
const waitSeconds = (asked: string | undefined, now: Date): number => {
  const seconds = /^\s*\d+\s*$/.test(asked ?? "") ? Number(asked) : (Date.parse(asked ?? "") - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? usualWaitSeconds : Math.min(Math.max(1, Math.ceil(seconds)), longestWaitSeconds);
};
