import { createHash, timingSafeEqual } from "node:crypto";
import { type CryptoKey, importJWK, type JWK } from "jose";
import { TokenRefusal } from "../http/http.ts";

export interface ClientRegistration {
  clientId: string;
  jwksUrl?: string | (() => string);
  jwks?: { keys: object[] };
  secret?: string;
  isPublic?: boolean;
  scopes?: string;
  redirectUris?: string[];
}

export interface ClientKeys {
  register(client: ClientRegistration): void;
  get(clientId: string): ClientRegistration | undefined;
  /**
   * The client's public key, or a sentence with the reason why there is none. Throws TokenRefusal 503 when the key set does not load in
   * time.
   */
  find(clientId: string, kid: string, alg: string): Promise<CryptoKey | string>;
}

/** Longer than the client waits, so that a slow key set is cached for its retry. */
const fetchTimeoutMs = 10_000;
const maxCacheSeconds = 60;
const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "k"];

/** Key sets are cached as their Cache-Control allows. */
export function createClientKeys({ timeoutMs = fetchTimeoutMs } = {}): ClientKeys {
  const clients = new Map<string, ClientRegistration>();
  const cache = new Map<string, { keys: JWK[]; expiresAt: number }>();

  const underWay = new Map<string, Promise<JWK[]>>();

  const fetchKeys = async (jwksUrl: string): Promise<JWK[]> => {
    const response = await fetch(jwksUrl, { redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) throw new Error("no key set");
    const { keys } = (await response.json()) as { keys: JWK[] };
    if (!Array.isArray(keys)) throw new Error("no key set");
    cache.set(jwksUrl, { keys, expiresAt: Date.now() + cacheSeconds(response.headers.get("cache-control")) * 1000 });
    return keys;
  };

  const load = (jwksUrl: string, fresh: boolean): Promise<JWK[]> => {
    const cached = cache.get(jwksUrl);
    if (cached && !fresh && cached.expiresAt > Date.now()) return Promise.resolve(cached.keys);
    const asked = underWay.get(jwksUrl) ?? fetchKeys(jwksUrl).finally(() => underWay.delete(jwksUrl));
    underWay.set(jwksUrl, asked);
    return asked;
  };

  /** An unknown kid reloads the key set once, since it may be new. */
  const keysOf = async ({ jwks, jwksUrl }: ClientRegistration, kid: string): Promise<JWK[]> => {
    const withId = (keys: JWK[]) => keys.filter((key) => key.kid === kid);
    if (jwks) return withId(jwks.keys as JWK[]);
    const url = typeof jwksUrl === "function" ? jwksUrl() : jwksUrl;
    if (!url) return [];
    const known = withId(await load(url, false));
    return known.length > 0 ? known : withId(await load(url, true));
  };

  return {
    register: (client) => void clients.set(client.clientId, client),
    get: (clientId) => clients.get(clientId),
    async find(clientId, kid, alg) {
      const client = clients.get(clientId);
      if (!client) return "The client is not registered";
      try {
        return await usableKey(await keysOf(client, kid), alg);
      } catch (error) {
        if (error instanceof DOMException && error.name === "TimeoutError")
          throw new TokenRefusal(503, "temporarily_unavailable", "The client's key set did not come in time");
        return "The client's key set could not be read";
      }
    },
  };
}

export function isSecretOf({ secret }: ClientRegistration, shown: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return secret !== undefined && timingSafeEqual(digest(secret), digest(shown));
}

function cacheSeconds(cacheControl: string | null): number {
  if (/no-store|no-cache/i.test(cacheControl ?? "")) return 0;
  return Math.min(Number(/max-age=(\d+)/i.exec(cacheControl ?? "")?.[1] ?? maxCacheSeconds), maxCacheSeconds);
}

async function usableKey(matches: JWK[], alg: string): Promise<CryptoKey | string> {
  const [jwk] = matches;
  if (!jwk || matches.length > 1) return "The key set must hold exactly one key with this kid";
  const kind = alg === "ES384" ? jwk.kty === "EC" && jwk.crv === "P-384" : jwk.kty === "RSA";
  if (!kind || (jwk.use !== undefined && jwk.use !== "sig")) return "The key is not one that verifies this algorithm";
  if (jwk.alg !== undefined && jwk.alg !== alg) return "The key is published for another algorithm";
  if (jwk.key_ops !== undefined && !jwk.key_ops.includes("verify")) return "The key is not one that verifies this algorithm";
  if (privateMembers.some((member) => member in jwk)) return "The key set holds a private key";
  const key = await importJWK(jwk, alg);
  return key instanceof Uint8Array ? "The key is not one that verifies this algorithm" : key;
}
