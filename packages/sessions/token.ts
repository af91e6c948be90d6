import { createHash } from "node:crypto";
import { publicKey, sign } from "@vitaline/aws";
import { AppError, errorFields, log, newId, secretValues } from "@vitaline/core";
import { JwtVerifier } from "aws-jwt-verify";
import * as z from "zod/mini";

const issuer = "vitaline";
const audience = "vitaline-session";

const ulid = z.string().check(z.regex(/^[0-9a-z]{26}$/));
/** sub = user, sid = session, tid = tenant that the session reaches, oid = session that opened the view. */
const Claims = z.object({ sub: ulid, sid: ulid, tid: z.optional(ulid), oid: z.optional(ulid), exp: z.number() });
export type Claims = z.infer<typeof Claims>;

const kidOf = (arn: string): string => createHash("sha256").update(arn).digest("base64url").slice(0, 16);
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

export async function issueToken(claims: Omit<Claims, "exp">, now: Date, lifetimeSeconds: number): Promise<string> {
  const [arn] = secretValues("sessions");
  const iat = Math.floor(now.getTime() / 1000);
  const input = `${encode({ alg: "RS256", typ: "JWT", kid: kidOf(arn) })}.${encode({ ...claims, iss: issuer, aud: audience, iat, exp: iat + lifetimeSeconds, jti: newId(now.getTime()) })}`;
  return `${input}.${(await sign(arn, "RS256", input)).toString("base64url")}`;
}

const unauthenticated = () => new AppError("unauthenticated", "Please sign in.");

const verifier = JwtVerifier.create({ issuer, audience, jwksUri: "https://jwks.invalid/keys.json" });
const retryMs = 10_000;
let loaded: { arns: string; keys: Promise<void>; untilMs: number } | undefined;

const jwkOf = async (arn: string) => ({
  kty: "RSA" as const,
  alg: "RS256" as const,
  use: "sig" as const,
  kid: kidOf(arn),
  ...(await publicKey(arn)),
});

/** A key that cannot be read, as a new one at first or one that was deleted, refuses only its own tokens. Returns whether all were read. */
const loadKeys = async ([current, ...others]: readonly [string, ...string[]]): Promise<boolean> => {
  const [first, ...rest] = await Promise.all([
    jwkOf(current),
    ...others.map((arn) => jwkOf(arn).catch((error: unknown) => void log("warn", "session_key.not_read", errorFields(error)))),
  ]);
  const read = rest.filter((key) => key !== undefined);
  verifier.cacheJwks({ keys: [first, ...read] });
  return read.length === others.length;
};

/** Once for a list of keys; a failed fetch is retried, of the current key by the next request. */
const keysLoaded = (): Promise<void> => {
  const values = secretValues("sessions");
  const arns = values.join();
  if (loaded?.arns === arns && Date.now() < loaded.untilMs) return loaded.keys;
  const loading = loadKeys(values);
  const latest = { arns, keys: loading.then(() => {}), untilMs: Number.POSITIVE_INFINITY };
  loaded = latest;
  loading.then(
    (isWhole) => void (isWhole || (latest.untilMs = Date.now() + retryMs)),
    () => void (loaded === latest && (loaded = undefined)),
  );
  return latest.keys;
};

/** Checks signature, issuer, audience and expiry without reading the table. AppError `unauthenticated`. */
export async function verify(token: string): Promise<Claims> {
  await keysLoaded();
  try {
    return z.parse(Claims, verifier.verifySync(token));
  } catch {
    throw unauthenticated();
  }
}
