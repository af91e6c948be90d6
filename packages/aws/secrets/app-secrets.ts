import { GetSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import { type AppSecret, envReader, errorFields, holdOwnCursorSecret, holdSecret, log, awaitAllThenThrow } from "@vitaline/core";
import * as z from "zod/mini";
import { asUnavailable } from "../unavailable.ts";
import { acceptedValues, SecretRing } from "./secret-ring.ts";
import { secrets } from "./secrets-manager.ts";

const environment = envReader(
  z.object({
    APP_SECRET_SECONDS: z.optional(z.coerce.number()),
    EDGE_SECRET_ARN: z.optional(z.string()),
    TOKENS_SECRET_ARN: z.optional(z.string()),
    CURSORS_SECRET_ARN: z.optional(z.string()),
    HASHES_SECRET_ARN: z.optional(z.string()),
    SESSIONS_SECRET_ARN: z.optional(z.string()),
  }),
);

/** Each function has those that infra/needs lists for it. */
function namedSecrets(): [name: AppSecret, arn: string][] {
  const env = environment();
  const arns: Record<AppSecret, string | undefined> = {
    edge: env.EDGE_SECRET_ARN,
    tokens: env.TOKENS_SECRET_ARN,
    cursors: env.CURSORS_SECRET_ARN,
    hashes: env.HASHES_SECRET_ARN,
    sessions: env.SESSIONS_SECRET_ARN,
  };
  const entries = Object.entries(arns) as [AppSecret, string | undefined][];
  return entries.flatMap(([name, arn]) => (arn === undefined ? [] : [[name, arn]]));
}

/** While Secrets Manager fails, values serve this much longer. */
const staleMs = 3_600_000;
const retryMs = 10_000;

let readAtMs = Number.NEGATIVE_INFINITY;
let nextReadMs = Number.NEGATIVE_INFINITY;
let reading: Promise<void> | undefined;

/**
 * Reads this function's secrets when those in memory are older than APP_SECRET_SECONDS; a rotation (packages/aws/secrets/rotate.ts) waits
 * longer than that. AppError `unavailable`.
 */
export function readAppSecrets(): Promise<void> {
  if (Date.now() < nextReadMs) return Promise.resolve();
  return (reading ??= readAll().finally(() => (reading = undefined)));
}

async function readAll(): Promise<void> {
  const nowMs = Date.now();
  const named = namedSecrets();
  const lifetimeMs = (environment().APP_SECRET_SECONDS ?? 0) * 1000;
  try {
    await awaitAllThenThrow(named.map(([name, arn]) => read(name, arn)));
    holdOwnCursorSecret();
    readAtMs = nowMs;
    nextReadMs = nowMs + lifetimeMs;
  } catch (error) {
    if (nowMs - readAtMs > lifetimeMs + staleMs) throw error;
    nextReadMs = nowMs + retryMs;
    log("warn", "secrets.not_read", errorFields(error));
  }
}

async function read(name: AppSecret, arn: string): Promise<void> {
  const { SecretString = "" } = await secrets()
    .send(new GetSecretValueCommand({ SecretId: arn }))
    .catch((error: unknown) => {
      throw asUnavailable(error);
    });
  holdSecret(name, acceptedValues(SecretRing.parse(JSON.parse(SecretString)), new Date()));
}
