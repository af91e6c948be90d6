import { request as overHttps } from "node:https";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { HttpRequest } from "@smithy/core/protocols";
import { Hash } from "@smithy/core/serde";
import { SignatureV4 } from "@smithy/signature-v4";
import { envReader, isRetryable } from "@vitaline/core";
import * as z from "zod/mini";

// An ESM import of node:http reads all its exports, and one of them loads undici: 20 ms of every cold start.
const { request: overHttp } = process.getBuiltinModule("node:http");

export type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken: string; expiration: Date };

const environment = envReader(
  z.object({
    AWS_REGION: z.string(),
    AWS_ENDPOINT_URL: z.optional(z.string()),
    AWS_ACCESS_KEY_ID: z.string(),
    AWS_SECRET_ACCESS_KEY: z.string(),
    AWS_SESSION_TOKEN: z.optional(z.string()),
  }),
);

/** Callers wait on the phone. */
const timeoutMs = 1500;
const maxTries = 3;
const firstWaitMs = 50;

/**
 * STS AssumeRole with one tag, which is the session's name too. Three attempts. Throws errors as the SDK's clients do, with their code as
 * name. Not by the SDK's client for STS, which adds 23 KB to every bundle. Source: "AssumeRole" in the STS API reference.
 */
export async function assumeRole(RoleArn: string, tag: { key: string; value: string }, seconds: number): Promise<Credentials> {
  const body = new URLSearchParams({
    Action: "AssumeRole",
    Version: "2011-06-15",
    RoleArn,
    RoleSessionName: tag.value,
    DurationSeconds: String(seconds),
    "Tags.member.1.Key": tag.key,
    "Tags.member.1.Value": tag.value,
  }).toString();
  for (let tries = 1; ; tries++) {
    try {
      return credentialsIn(await post(body));
    } catch (error) {
      if (tries === maxTries || !isRetryable(error)) throw error;
      await sleep(Math.random() * firstWaitMs * 2 ** tries);
    }
  }
}

async function post(body: string): Promise<string> {
  const { AWS_REGION: region, AWS_ENDPOINT_URL: endpoint, ...own } = environment();
  const { hostname, port, protocol } = new URL(endpoint ?? `https://sts.${region}.amazonaws.com`);
  const signer = new SignatureV4({
    service: "sts",
    region,
    sha256: Hash.bind(null, "sha256"),
    credentials: {
      accessKeyId: own.AWS_ACCESS_KEY_ID,
      secretAccessKey: own.AWS_SECRET_ACCESS_KEY,
      ...(own.AWS_SESSION_TOKEN ? { sessionToken: own.AWS_SESSION_TOKEN } : {}),
    },
  });
  const headers = { host: port ? `${hostname}:${port}` : hostname, "content-type": "application/x-www-form-urlencoded; charset=utf-8" };
  const signed = await signer.sign(new HttpRequest({ method: "POST", protocol, hostname, path: "/", headers, body }));
  const { status, answer } = await send({ hostname, port, protocol, headers: signed.headers, body }).catch((cause: unknown) => {
    throw Object.assign(new Error("STS did not answer", { cause }), { name: "TimeoutError", $metadata: {} });
  });
  if (status < 300) return answer;
  const code = valueOf(answer, "Code") ?? "UnknownError";
  throw Object.assign(new Error(valueOf(answer, "Message") ?? code), { name: code, $metadata: { httpStatusCode: status } });
}

type Sent = { hostname: string; port: string; protocol: string; headers: Record<string, string>; body: string };

function send({ body, ...to }: Sent): Promise<{ status: number; answer: string }> {
  const answered = Promise.withResolvers<{ status: number; answer: string }>();
  const request = (to.protocol === "http:" ? overHttp : overHttps)({
    ...to,
    method: "POST",
    path: "/",
    signal: AbortSignal.timeout(timeoutMs),
  });
  request.on("error", answered.reject);
  request.on("response", (response) => {
    text(response).then((answer) => answered.resolve({ status: response.statusCode ?? 0, answer }), answered.reject);
  });
  request.end(body);
  return answered.promise;
}

/** The values asked for here contain no escapes. */
const valueOf = (xml: string, tag: string): string | undefined => new RegExp(`<${tag}>([^<]+)</${tag}>`).exec(xml)?.[1];

const Answer = z.object({ AccessKeyId: z.string(), SecretAccessKey: z.string(), SessionToken: z.string(), Expiration: z.iso.datetime() });

function credentialsIn(xml: string): Credentials {
  const fields = Object.keys(Answer.shape).map((tag) => [tag, valueOf(xml, tag)] as const);
  const { success, data } = z.safeParse(Answer, Object.fromEntries(fields));
  if (!success) throw new Error("STS gave no credentials");
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, SessionToken: sessionToken, Expiration } = data;
  return { accessKeyId, secretAccessKey, sessionToken, expiration: new Date(Expiration) };
}
