import { createHash, randomBytes } from "node:crypto";
import { compactVerify, decodeProtectedHeader, type JWTPayload } from "jose";
import type { ClientKeys } from "./client-keys.ts";
import type { Call, Reply } from "./http.ts";
import { Refusal } from "./refusal.ts";
import { parseScopes } from "./scopes.ts";

const tokenSeconds = 300;
const maxAssertionSeconds = 300;
const skewSeconds = 5;
export const assertionAlgorithms = ["RS384", "RS256"];
const jwtBearer = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

export interface TokenEndpoint {
  /** SMART Backend Services, client_credentials with private_key_jwt: https://hl7.org/fhir/smart-app-launch/backend-services.html */
  answer(call: Call): Promise<Reply>;
  /** The scopes of the bearer token of a FHIR call; refuses with 401. */
  authorize(authorization: string | undefined): string[];
}

/** Refusals of the token endpoint: RFC 6749 section 5.2. */
class TokenRefusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, description: string) {
    super(description);
    this.status = status;
    this.code = code;
  }
}

export function createTokenEndpoint({ tokenUrl, keys, now }: { tokenUrl: string; keys: ClientKeys; now: () => Date }): TokenEndpoint {
  const tokens = new Map<string, { scopes: string[]; expiresAt: number }>();
  const usedAssertions = new Map<string, number>();
  const seconds = () => Math.floor(now().getTime() / 1000);

  const issue = async (call: Call): Promise<Reply> => {
    const form = readForm(call);
    const scopes = parseScopes(form.get("scope") ?? "");
    if (!scopes) throw new TokenRefusal(400, "invalid_scope", "Only system/ scopes are granted, for example system/Patient.rs");
    const claims = await verifyAssertion(form.get("client_assertion") ?? "", { tokenUrl, keys, now: seconds() });
    spend(usedAssertions, `${claims.iss}\n${claims.jti}`, claims.exp!, seconds());
    const token = randomBytes(32).toString("base64url");
    forgetExpired(tokens, seconds());
    tokens.set(digest(token), { scopes, expiresAt: seconds() + tokenSeconds });
    return tokenReply(200, { access_token: token, token_type: "bearer", expires_in: tokenSeconds, scope: scopes.join(" ") });
  };

  return {
    async answer(call) {
      try {
        return await issue(call);
      } catch (error) {
        const { status, code, message } =
          error instanceof TokenRefusal ? error : new TokenRefusal(500, "server_error", "Unexpected failure");
        return tokenReply(status, { error: code, error_description: message });
      }
    },
    authorize(authorization) {
      const bearer = /^bearer (.+)$/i.exec(authorization ?? "")?.[1];
      const token = bearer && tokens.get(digest(bearer));
      if (token && token.expiresAt > seconds()) return token.scopes;
      throw new Refusal(401, "login", bearer ? "The access token is not valid or has expired" : "An access token is needed", {
        "WWW-Authenticate": "Bearer",
      });
    },
  };
}

const digest = (token: string) => createHash("sha256").update(token).digest("base64url");

const tokenReply = (status: number, body: object): Reply => ({
  status,
  headers: { "Content-Type": "application/json", Pragma: "no-cache" },
  body,
});

function readForm(call: Call): URLSearchParams {
  const refuse = (code: string, text: string): never => {
    throw new TokenRefusal(400, code, text);
  };
  if (call.method !== "POST") throw new TokenRefusal(405, "invalid_request", "The token endpoint takes POST only");
  if (!/^application\/x-www-form-urlencoded\b/i.test(call.headers["content-type"] ?? ""))
    refuse("invalid_request", "The body must be a form");
  const form = new URLSearchParams(call.body);
  if (form.get("grant_type") !== "client_credentials") refuse("unsupported_grant_type", "grant_type must be client_credentials");
  if (form.get("client_assertion_type") !== jwtBearer)
    throw new TokenRefusal(401, "invalid_client", "Clients authenticate by private_key_jwt only");
  return form;
}

const invalidClient = (text: string): never => {
  throw new TokenRefusal(401, "invalid_client", text);
};

/** Signature first, then every claim of the client assertion. */
async function verifyAssertion(
  assertion: string,
  { tokenUrl, keys, now }: { tokenUrl: string; keys: ClientKeys; now: number },
): Promise<JWTPayload> {
  const payload = await verifySignature(assertion, keys);
  const { iss, sub, aud, exp, iat, nbf, jti } = payload;
  if (iss !== sub) invalidClient("iss and sub must both be the client id");
  if (aud !== tokenUrl) invalidClient("aud must be the token URL");
  if (typeof exp !== "number" || exp <= now - skewSeconds) invalidClient("The assertion has expired");
  if (exp! > now + maxAssertionSeconds) invalidClient("exp may be five minutes ahead at most");
  if ([iat, nbf].some((time) => typeof time === "number" && time > now + skewSeconds))
    invalidClient("iat and nbf must not be in the future");
  if (typeof jti !== "string" || jti === "" || jti.length > 151) invalidClient("jti is missing or too long");
  return payload;
}

async function verifySignature(assertion: string, keys: ClientKeys): Promise<JWTPayload> {
  const [header, clientId] = readUnverified(assertion);
  const { kid, alg, typ } = header;
  if (typ !== "JWT") return invalidClient("The header typ must be JWT");
  if (!kid || !alg || !assertionAlgorithms.includes(alg))
    return invalidClient(`The header needs a kid and one of ${assertionAlgorithms.join(", ")}`);
  const key = await keys.find(clientId, kid, alg);
  if (typeof key === "string") return invalidClient(key);
  const { payload } = await compactVerify(assertion, key, { algorithms: [alg] }).catch(() =>
    invalidClient("The signature does not match the key"),
  );
  return parseClaims(Buffer.from(payload).toString());
}

/** The header and the claimed issuer, only to find the key that checks them. */
function readUnverified(assertion: string): [header: { kid?: string; alg?: string; typ?: string }, clientId: string] {
  try {
    return [decodeProtectedHeader(assertion), String(parseClaims(Buffer.from(assertion.split(".")[1] ?? "", "base64url").toString()).iss)];
  } catch {
    return invalidClient("The client assertion is not a signed JWT");
  }
}

const parseClaims = (text: string) => JSON.parse(text) as JWTPayload;

/** An assertion counts once within its lifetime. */
function spend(used: Map<string, number>, key: string, expiresAt: number, now: number): void {
  for (const [other, until] of used) if (until < now - skewSeconds) used.delete(other);
  if (used.has(key)) invalidClient("This assertion was used before (jti)");
  used.set(key, expiresAt);
}

function forgetExpired(tokens: Map<string, { expiresAt: number }>, now: number): void {
  for (const [token, { expiresAt }] of tokens) if (expiresAt <= now) tokens.delete(token);
}
