import { createHash } from "node:crypto";
import { authenticateClient, createAssertionCheck } from "./client-authentication.ts";
import type { ClientKeys, ClientRegistration } from "./client-keys.ts";
import { type Call, formOf, Refusal, type Reply, TokenRefusal } from "../http/http.ts";
import { limitScopes, parseScopes } from "./scopes.ts";
import { createSignIns, newToken } from "./sign-in.ts";

export interface TokenFault {
  fewerScopes?: boolean;
  aheadSeconds?: number;
}

export interface TokenEndpoint {
  /**
   * client_credentials (SMART Backend Services: https://hl7.org/fhir/smart-app-launch/backend-services.html), authorization_code with
   * PKCE, and refresh_token.
   */
  answer(call: Call, oddity?: TokenFault): Promise<Reply>;
  authorizePerson(call: Call): Reply;
  authorize(authorization: string | undefined): string[];
}

interface TokenOptions {
  tokenUrl: string;
  keys: ClientKeys;
  algorithms: readonly string[];
  wildcards: boolean;
  tokenSeconds: number;
  now: () => Date;
  trusting?: boolean | undefined;
}

export function createTokenEndpoint({ tokenUrl, keys, algorithms, wildcards, tokenSeconds, now, trusting }: TokenOptions): TokenEndpoint {
  const tokens = new Map<string, { scopes: string[]; expiresAt: number }>();
  const checkAssertion = createAssertionCheck();
  const signIns = createSignIns({ keys, wildcards, now });
  const seconds = () => Math.floor(now().getTime() / 1000);

  const granted = (client: ClientRegistration, form: URLSearchParams): { scopes: string[]; refreshToken?: string } => {
    const type = form.get("grant_type");
    if (type === "client_credentials" && !client.isPublic) {
      const scopes = parseScopes(form.get("scope") ?? "", { wildcards });
      if (!scopes) throw new TokenRefusal(400, "invalid_scope", "Only system/ scopes are granted, for example system/Patient.rs");
      return { scopes };
    }
    if (type !== "authorization_code" && type !== "refresh_token")
      throw new TokenRefusal(400, "unauthorized_client", "This client may not ask for this grant");
    const { clientId, scopes } = type === "refresh_token" ? signIns.refresh(client, form) : signIns.redeem(client, form);
    return { scopes, ...(scopes.includes("offline_access") && { refreshToken: signIns.newRefreshToken({ clientId, scopes }) }) };
  };

  const issue = async (call: Call, { fewerScopes, aheadSeconds = 0 }: TokenFault): Promise<Reply> => {
    const form = readForm(call);
    const client = trusting
      ? anyClient
      : await authenticateClient(call, form, {
          tokenUrl,
          keys,
          algorithms,
          nowSeconds: seconds() + aheadSeconds,
          checkAssertion,
        });
    const { scopes: asked, refreshToken } = granted(client, form);
    const allowed = client.scopes === undefined ? asked : limitScopes(asked, client.scopes.split(" "));
    const scopes = fewerScopes ? allowed.slice(0, 1) : allowed;
    if (scopes.length === 0) throw new TokenRefusal(400, "invalid_scope", "None of these scopes is granted to this client");
    const token = newToken();
    for (const [old, { expiresAt }] of tokens) if (expiresAt <= seconds()) tokens.delete(old);
    tokens.set(digest(token), { scopes, expiresAt: seconds() + tokenSeconds });
    return tokenReply(200, {
      access_token: token,
      token_type: "bearer",
      expires_in: tokenSeconds,
      scope: scopes.join(" "),
      ...(refreshToken && { refresh_token: refreshToken }),
    });
  };

  return {
    async answer(call, oddity = {}) {
      const date = oddity.aheadSeconds && { Date: new Date(now().getTime() + oddity.aheadSeconds * 1000).toUTCString() };
      const reply = await issue(call, oddity).catch((error: unknown) => {
        const { status, code, message } =
          error instanceof TokenRefusal ? error : new TokenRefusal(500, "server_error", "Unexpected failure");
        return tokenReply(status, { error: code, error_description: message });
      });
      return { ...reply, headers: { ...reply.headers, ...date } };
    },
    authorizePerson: signIns.authorize,
    authorize(authorization) {
      const bearer = /^bearer (.+)$/i.exec(authorization ?? "")?.[1];
      const token = bearer && tokens.get(digest(bearer));
      if (token && token.expiresAt > seconds()) return token.scopes;
      if (bearer && trusting) return everyScope;
      throw new Refusal(401, "login", bearer ? "The access token is not valid or has expired" : "An access token is needed", {
        "WWW-Authenticate": "Bearer",
      });
    },
  };
}

const everyScope = ["system/*.cruds"];
const anyClient: ClientRegistration = { clientId: "any" };
const digest = (token: string) => createHash("sha256").update(token).digest("base64url");

const tokenReply = (status: number, body: object): Reply => ({
  status,
  headers: { "Content-Type": "application/json", Pragma: "no-cache" },
  body,
});

const grantTypes = ["client_credentials", "authorization_code", "refresh_token"];

function readForm(call: Call): URLSearchParams {
  if (call.method !== "POST") throw new TokenRefusal(405, "invalid_request", "The token endpoint takes POST only");
  const form = formOf(call);
  if (!form) throw new TokenRefusal(400, "invalid_request", "The body must be a form");
  if (!grantTypes.includes(form.get("grant_type") ?? ""))
    throw new TokenRefusal(400, "unsupported_grant_type", `grant_type must be one of ${grantTypes.join(", ")}`);
  return form;
}
