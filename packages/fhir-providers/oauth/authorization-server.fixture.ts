import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type AuthorizationServer = {
  origin: string;
  baseUrl: string;
  /** The requests to the token endpoint: form and Authorization header. */
  asked: { form: Record<string, string>; authorization: string | undefined }[];
  /** Signs a user in; returns the redirect. */
  signIn(url: string): Promise<URL>;
  /**
   * `lasting`: issues refresh tokens; `rotating`: a new one at each use, and a repeated use revokes all; `down`: fails; `scope`: the
   * granted scopes; `issuer`: as in discovery.
   */
  ways: { lasting: boolean; rotating: boolean; down: boolean; slowMs: number; scope?: string | undefined; issuer?: string | undefined };
  close(): Promise<void>;
};

type Grant = { challenge: string; redirectUri: string; family: string };

/** An EHR with a sign-in page (RFC 6749 with PKCE). It knows one client, "our-client", by its secret. */
export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const codes = new Map<string, Grant>();
  const refreshTokens = new Map<string, string>();
  const used = new Set<string>();
  const accessTokens = new Set<string>();
  const asked: AuthorizationServer["asked"] = [];
  const ways: AuthorizationServer["ways"] = { lasting: true, rotating: false, down: false, slowMs: 0 };

  const tokensOf = (family: string, refreshToken?: string): object => {
    const access_token = randomUUID();
    accessTokens.add(access_token);
    const next = refreshToken ?? randomUUID();
    if (ways.lasting) refreshTokens.set(next, family);
    return { access_token, token_type: "bearer", expires_in: 300, scope: ways.scope, ...(ways.lasting && { refresh_token: next }) };
  };
  const granted = (form: Record<string, string>): object | string => {
    const { grant_type, code = "", code_verifier = "", redirect_uri, refresh_token = "" } = form;
    if (grant_type === "authorization_code") {
      const grant = codes.get(code);
      codes.delete(code);
      const challenge = createHash("sha256").update(code_verifier).digest("base64url");
      return grant?.challenge === challenge && grant.redirectUri === redirect_uri ? tokensOf(grant.family) : "invalid_grant";
    }
    const family = refreshTokens.get(refresh_token);
    if (used.has(refresh_token)) for (const [token, of] of refreshTokens) if (of === family) refreshTokens.delete(token);
    if (grant_type !== "refresh_token" || !family || used.has(refresh_token)) return "invalid_grant";
    if (ways.rotating) used.add(refresh_token);
    return tokensOf(family, ways.rotating ? undefined : refresh_token);
  };

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", origin);
    const answer = (status: number, body: object) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (url.pathname === "/fhir/.well-known/smart-configuration")
        return answer(200, { token_endpoint: `${origin}/token`, authorization_endpoint: `${origin}/authorize`, issuer: ways.issuer });
      if (url.pathname === "/fhir/metadata")
        return answer(200, {
          resourceType: "CapabilityStatement",
          fhirVersion: "4.0.1",
          software: { name: "Page", version: "1" },
          rest: [],
        });
      if (url.pathname === "/token") {
        const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
        asked.push({ form, authorization: request.headers.authorization });
        if (ways.down) return answer(503, {});
        const known = request.headers.authorization === `Basic ${Buffer.from("our-client:our-secret").toString("base64")}`;
        const outcome = known ? granted(form) : "invalid_client";
        return void setTimeout(
          () => answer(typeof outcome === "string" ? 400 : 200, typeof outcome === "string" ? { error: outcome } : outcome),
          ways.slowMs,
        );
      }
      if (!accessTokens.has(request.headers.authorization?.slice("Bearer ".length) ?? "")) return answer(401, {});
      return answer(200, { resourceType: "Patient", id: url.pathname.split("/").at(-1), name: [{ text: "Jo Alder" }] });
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    baseUrl: `${origin}/fhir`,
    asked,
    ways,
    async signIn(url) {
      const { searchParams } = new URL(url);
      const of = (name: string) => searchParams.get(name) ?? "";
      if (of("response_type") !== "code" || of("client_id") !== "our-client" || of("code_challenge_method") !== "S256")
        throw new Error("Not an authorization request");
      const code = randomUUID();
      codes.set(code, { challenge: of("code_challenge"), redirectUri: of("redirect_uri"), family: randomUUID() });
      const back = new URL(of("redirect_uri"));
      back.searchParams.set("code", code);
      back.searchParams.set("state", of("state"));
      return back;
    },
    close: () => new Promise((done) => void server.close(() => done()).closeAllConnections()),
  };
}
