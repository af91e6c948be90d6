import { generateKeyPairSync, randomUUID, sign as signBytes, type KeyObject } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface DemoClient {
  clientId: string;
  jwksUrl: string;
  /** Signs like a key service: RSA PKCS #1 v1.5 over the JWS signing input. */
  sign(alg: "RS256" | "RS384", signingInput: string): Promise<{ kid: string; alg: "RS256" | "RS384"; signature: Uint8Array }>;
  keyFor(alg: "RS256" | "RS384"): { kid: string };
  /** A whole client assertion; claims and header members may be overridden to try what the server refuses. */
  assertion(audience: string, claims?: object, header?: object): Promise<string>;
  /** How often the key set was fetched. */
  fetches(): number;
  /** Publishes another key set. */
  publish(keys: object[]): void;
  close(): Promise<void>;
}

/** A registered client for tests and demonstrations: a fresh RSA key, published under two kids on its own address. */
export async function startDemoClient(clientId = "demo-client"): Promise<DemoClient> {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  let keys: object[] = publicKeys(publicKey);
  let fetchCount = 0;
  const server = createServer((_, response) => {
    fetchCount += 1;
    response.writeHead(200, { "Content-Type": "application/json", "Cache-Control": "public, max-age=30" });
    response.end(JSON.stringify({ keys }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));

  const keyFor = (alg: "RS256" | "RS384") => ({ kid: `demo-${alg.toLowerCase()}` });
  const sign: DemoClient["sign"] = async (alg, signingInput) => ({
    ...keyFor(alg),
    alg,
    signature: signBytes(alg.replace("RS", "sha"), Buffer.from(signingInput), privateKey),
  });

  return {
    clientId,
    jwksUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`,
    sign,
    keyFor,
    async assertion(audience, claims = {}, header = {}) {
      const now = Math.floor(Date.now() / 1000);
      const payload = { iss: clientId, sub: clientId, aud: audience, iat: now, exp: now + 240, jti: randomUUID(), ...claims };
      const input = [{ typ: "JWT", alg: "RS384", kid: "demo-rs384", ...header }, payload]
        .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
        .join(".");
      const { signature } = await sign("RS384", input);
      return `${input}.${Buffer.from(signature).toString("base64url")}`;
    },
    fetches: () => fetchCount,
    publish: (next) => void (keys = next),
    close: () => new Promise((done) => void server.close(() => done()).closeAllConnections()),
  };
}

const publicKeys = (publicKey: KeyObject) =>
  ["RS256", "RS384"].map((alg) => ({
    ...publicKey.export({ format: "jwk" }),
    kid: `demo-${alg.toLowerCase()}`,
    alg,
    use: "sig",
    key_ops: ["verify"],
  }));
