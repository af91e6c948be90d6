import { compactVerify, decodeProtectedHeader, type JWTPayload } from "jose";
import { type ClientKeys, type ClientRegistration, isSecretOf } from "./client-keys.ts";
import { type Call, invalidClient, TokenRefusal } from "../http/http.ts";

const maxAssertionSeconds = 300;
const skewSeconds = 5;

interface Verifying {
  tokenUrl: string;
  keys: ClientKeys;
  algorithms: readonly string[];
  nowSeconds: number;
}

/** Accepts each assertion once within its lifetime. Checks the signature first, then every claim: RFC 7523 and SMART Backend Services. */
export function createAssertionCheck(): (assertion: string, verifying: Verifying) => Promise<string> {
  const used = new Map<string, number>();
  return async (assertion, verifying) => {
    const claims = await verifyAssertion(assertion, verifying);
    spend(used, `${claims.iss}\n${claims.jti}`, claims.exp!, verifying.nowSeconds);
    return claims.iss!;
  };
}

async function verifyAssertion(assertion: string, { tokenUrl, keys, algorithms, nowSeconds }: Verifying): Promise<JWTPayload> {
  const payload = await verifySignature(assertion, keys, algorithms);
  const { iss, sub, aud, exp, iat, nbf, jti } = payload;
  if (iss !== sub) invalidClient("iss and sub must both be the client id");
  if (aud !== tokenUrl) invalidClient("aud must be the token URL");
  if (typeof exp !== "number" || exp <= nowSeconds - skewSeconds) invalidClient("The assertion has expired");
  if (exp! > nowSeconds + maxAssertionSeconds) invalidClient("exp may be five minutes ahead at most");
  if ([iat, nbf].some((time) => typeof time === "number" && time > nowSeconds + skewSeconds))
    invalidClient("iat and nbf must not be in the future");
  if (typeof jti !== "string" || jti === "" || jti.length > 151) invalidClient("jti is missing or too long");
  return payload;
}

async function verifySignature(assertion: string, keys: ClientKeys, algorithms: readonly string[]): Promise<JWTPayload> {
  const [header, clientId] = readUnverified(assertion);
  const { kid, alg, typ } = header;
  if (typ !== "JWT") return invalidClient("The header typ must be JWT");
  if (!kid || !alg || !algorithms.includes(alg)) return invalidClient(`The header needs a kid and one of ${algorithms.join(", ")}`);
  const key = await keys.find(clientId, kid, alg);
  if (typeof key === "string") return invalidClient(key);
  const { payload } = await compactVerify(assertion, key, { algorithms: [alg] }).catch(() =>
    invalidClient("The signature does not match the key"),
  );
  return parseClaims(Buffer.from(payload).toString());
}

/** Reads header and issuer before verification, only to find the key. */
function readUnverified(assertion: string): [header: { kid?: string; alg?: string; typ?: string }, clientId: string] {
  try {
    return [decodeProtectedHeader(assertion), String(parseClaims(Buffer.from(assertion.split(".")[1] ?? "", "base64url").toString()).iss)];
  } catch {
    return invalidClient("The client assertion is not a signed JWT");
  }
}

const parseClaims = (text: string) => JSON.parse(text) as JWTPayload;

function spend(used: Map<string, number>, key: string, expiresAt: number, now: number): void {
  for (const [other, until] of used) if (until < now - skewSeconds) used.delete(other);
  if (used.has(key)) invalidClient("This assertion was used before (jti)");
  used.set(key, expiresAt);
}

const jwtBearer = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

interface Authenticating {
  tokenUrl: string;
  keys: ClientKeys;
  algorithms: readonly string[];
  nowSeconds: number;
  checkAssertion: ReturnType<typeof createAssertionCheck>;
}

/** Exactly one of private_key_jwt, client_secret_basic and client_secret_post; a public client only sends its client_id. */
export async function authenticateClient(call: Call, form: URLSearchParams, authenticating: Authenticating): Promise<ClientRegistration> {
  const { keys } = authenticating;
  const header = call.headers.authorization;
  const [assertionType, secret] = [form.get("client_assertion_type"), form.get("client_secret")];
  if ([header, assertionType, secret].filter((one) => one !== undefined && one !== null).length > 1)
    throw new TokenRefusal(400, "invalid_request", "A client authenticates in exactly one way");
  if (header !== undefined) return withSecret(keys, ...basicPair(header));
  if (secret !== null) return withSecret(keys, form.get("client_id") ?? "", secret);
  if (assertionType === jwtBearer) {
    const clientId = await authenticating.checkAssertion(form.get("client_assertion") ?? "", authenticating);
    return keys.get(clientId) ?? invalidClient("The client is not registered");
  }
  const client = assertionType === null ? keys.get(form.get("client_id") ?? "") : undefined;
  return client?.isPublic ? client : invalidClient("Clients authenticate by private_key_jwt, client_secret_basic or client_secret_post");
}

function withSecret(keys: ClientKeys, clientId: string, secret: string): ClientRegistration {
  const client = keys.get(clientId);
  return client && isSecretOf(client, secret) ? client : invalidClient("The client id or its secret is wrong");
}

/** RFC 6749 2.3.1: both parts are form-encoded before they are joined. */
function basicPair(header: string): [clientId: string, secret: string] {
  const [, encoded = ""] = /^basic (.+)$/i.exec(header) ?? invalidClient("The Authorization header must be Basic");
  const pair = Buffer.from(encoded, "base64").toString();
  const colon = pair.indexOf(":");
  const decode = (part: string) => new URLSearchParams(`_=${part}`).get("_") ?? "";
  return [decode(pair.slice(0, colon)), decode(pair.slice(colon + 1))];
}
