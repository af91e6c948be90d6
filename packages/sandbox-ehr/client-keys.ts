import { importJWK, type CryptoKey, type JWK } from "jose";

export interface ClientRegistration {
  clientId: string;
  /** Where the client publishes its public keys; a function when the address is known later. */
  jwksUrl: string | (() => string);
}

export interface ClientKeys {
  register(client: ClientRegistration): void;
  /** The client's public key, or a sentence saying why there is none. */
  find(clientId: string, kid: string, alg: string): Promise<CryptoKey | string>;
}

const fetchTimeoutMs = 2000;
const maxCacheSeconds = 60;
const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "k"];

/** Registered clients and their key sets, fetched from their JWKS URL and kept no longer than its Cache-Control says. */
export function createClientKeys(): ClientKeys {
  const clients = new Map<string, ClientRegistration>();
  const cache = new Map<string, { keys: JWK[]; expiresAt: number }>();

  const load = async (jwksUrl: string, fresh: boolean): Promise<JWK[]> => {
    const cached = cache.get(jwksUrl);
    if (cached && !fresh && cached.expiresAt > Date.now()) return cached.keys;
    const response = await fetch(jwksUrl, { redirect: "error", signal: AbortSignal.timeout(fetchTimeoutMs) });
    if (!response.ok) throw new Error("no key set");
    const { keys } = (await response.json()) as { keys: JWK[] };
    if (!Array.isArray(keys)) throw new Error("no key set");
    cache.set(jwksUrl, { keys, expiresAt: Date.now() + cacheSeconds(response.headers.get("cache-control")) * 1000 });
    return keys;
  };

  return {
    register: (client) => void clients.set(client.clientId, client),
    async find(clientId, kid, alg) {
      const client = clients.get(clientId);
      if (!client) return "The client is not registered";
      const jwksUrl = typeof client.jwksUrl === "string" ? client.jwksUrl : client.jwksUrl();
      try {
        const known = (await load(jwksUrl, false)).filter((key) => key.kid === kid);
        // An unknown kid may be a key published a moment ago: look once more.
        const matches = known.length > 0 ? known : (await load(jwksUrl, true)).filter((key) => key.kid === kid);
        return await usableKey(matches, alg);
      } catch {
        return "The client's key set could not be read";
      }
    },
  };
}

function cacheSeconds(cacheControl: string | null): number {
  if (/no-store|no-cache/i.test(cacheControl ?? "")) return 0;
  return Math.min(Number(/max-age=(\d+)/i.exec(cacheControl ?? "")?.[1] ?? maxCacheSeconds), maxCacheSeconds);
}

async function usableKey(matches: JWK[], alg: string): Promise<CryptoKey | string> {
  const [jwk] = matches;
  if (!jwk || matches.length > 1) return "The key set must hold exactly one key with this kid";
  if (jwk.kty !== "RSA" || jwk.use !== "sig") return "The key must be an RSA key with use sig";
  if (jwk.alg !== undefined && jwk.alg !== alg) return "The key is published for another algorithm";
  if (privateMembers.some((member) => member in jwk)) return "The key set holds a private key";
  const key = await importJWK(jwk, alg);
  return key instanceof Uint8Array ? "The key must be an RSA key with use sig" : key;
}
