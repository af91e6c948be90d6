import { createHash, randomBytes } from "node:crypto";
import type { ClientKeys, ClientRegistration } from "./client-keys.ts";
import { type Call, Refusal, type Reply, TokenRefusal } from "../http/http.ts";
import { parseScopes } from "./scopes.ts";

const codeSeconds = 60;

interface Grant {
  clientId: string;
  scopes: string[];
}
interface Code extends Grant {
  redirectUri: string;
  challenge: string;
  expiresAt: number;
}

export interface SignIns {
  authorize(call: Call): Reply;
  /** Takes each code once, with its PKCE verifier. */
  redeem(client: ClientRegistration, form: URLSearchParams): Grant;
  /** Each refresh token is used once; the answer holds its successor. */
  refresh(client: ClientRegistration, form: URLSearchParams): Grant;
  newRefreshToken(grant: Grant): string;
}

/** The authorization code flow with automatic consent: RFC 6749 4.1, with PKCE (RFC 7636). */
export function createSignIns({ keys, wildcards, now }: { keys: ClientKeys; wildcards: boolean; now: () => Date }): SignIns {
  const codes = new Map<string, Code>();
  const refreshTokens = new Map<string, Grant>();

  const authorize = ({ query }: Call): Reply => {
    const { clientId, redirectUri } = knownClient(keys, query);
    const leadBack = (answer: Record<string, string>): Reply => {
      const target = new URL(redirectUri);
      const state = query.get("state");
      for (const [name, value] of Object.entries({ ...answer, ...(state !== null && { state }) })) target.searchParams.set(name, value);
      return { status: 302, headers: { Location: target.href } };
    };
    const challenge = query.get("code_challenge");
    const scopes = parseScopes(query.get("scope") ?? "", { forPerson: true, wildcards });
    if (query.get("response_type") !== "code") return leadBack({ error: "unsupported_response_type" });
    if (!challenge || query.get("code_challenge_method") !== "S256") return leadBack({ error: "invalid_request" });
    if (!scopes) return leadBack({ error: "invalid_scope" });
    const code = newToken();
    codes.set(code, { clientId, redirectUri, scopes, challenge, expiresAt: now().getTime() + codeSeconds * 1000 });
    return leadBack({ code });
  };

  return {
    authorize,
    redeem({ clientId }, form) {
      const code = form.get("code") ?? "";
      const grant = codes.get(code);
      codes.delete(code);
      const challenge = createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url");
      const fits = grant?.clientId === clientId && grant.redirectUri === form.get("redirect_uri") && grant.challenge === challenge;
      if (!grant || !fits || grant.expiresAt < now().getTime()) throw invalidGrant();
      return { clientId, scopes: grant.scopes };
    },
    refresh({ clientId }, form) {
      const token = form.get("refresh_token") ?? "";
      const grant = refreshTokens.get(token);
      if (grant?.clientId !== clientId) throw invalidGrant();
      refreshTokens.delete(token);
      return grant;
    },
    newRefreshToken(grant) {
      const token = newToken();
      refreshTokens.set(token, grant);
      return token;
    },
  };
}

export const newToken = (): string => randomBytes(32).toString("base64url");

const invalidGrant = () => new TokenRefusal(400, "invalid_grant", "The code or refresh token does not count, or not any more");

/** Shows an error page instead of a redirect to an unknown address (RFC 6749 4.1.2.1). */
function knownClient(keys: ClientKeys, query: URLSearchParams): { clientId: string; redirectUri: string } {
  const client = keys.get(query.get("client_id") ?? "");
  const redirectUri = query.get("redirect_uri") ?? "";
  const known = client?.redirectUris ? client.redirectUris.includes(redirectUri) : isLoopbackAddress(redirectUri);
  if (!client || !known) throw new Refusal(400, "invalid", "The client is not registered, or not with this redirect_uri");
  return { clientId: client.clientId, redirectUri };
}

const isLoopbackAddress = (url: string) => URL.canParse(url) && ["127.0.0.1", "localhost", "[::1]"].includes(new URL(url).hostname);
