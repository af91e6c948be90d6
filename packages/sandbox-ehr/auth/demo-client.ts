import { generateKeyPairSync, randomUUID, sign as signBytes, type KeyObject } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Algorithm = "RS256" | "RS384" | "ES384";

export interface DemoClient {
  clientId: string;
  jwksUrl: string;
  /** RSA PKCS #1 v1.5, or r and s of an EC P-384 key for ES384. */
  sign<A extends Algorithm>(alg: A, signingInput: string): Promise<{ kid: string; alg: A; signature: Uint8Array }>;
  keyFor(alg: Algorithm): { kid: string };
  assertion(audience: string, claims?: object, header?: object): Promise<string>;
  fetches(): number;
  publish(keys: object[]): void;
  close(): Promise<void>;
}

/** A registered client with new keys and a JWKS address; the RSA key is published under two kids. */
export async function startDemoClient(clientId = "demo-client"): Promise<DemoClient> {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const ec = generateKeyPairSync("ec", { namedCurve: "secp384r1" });
  let keys: object[] = [published(rsa.publicKey, "RS256"), published(rsa.publicKey, "RS384"), published(ec.publicKey, "ES384")];
  let fetchCount = 0;
  const server = createServer((_, response) => {
    fetchCount += 1;
    response.writeHead(200, { "Content-Type": "application/json", "Cache-Control": "public, max-age=30" });
    response.end(JSON.stringify({ keys }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));

  const sign: DemoClient["sign"] = async (alg, signingInput) => {
    const bytes = Buffer.from(signingInput);
    const signature =
      alg === "ES384"
        ? signBytes("sha384", bytes, { key: ec.privateKey, dsaEncoding: "ieee-p1363" })
        : signBytes(alg.replace("RS", "sha"), bytes, rsa.privateKey);
    return { ...keyFor(alg), alg, signature };
  };

  return {
    clientId,
    jwksUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`,
    sign,
    keyFor,
    async assertion(audience, claims = {}, header = {}) {
      const now = Math.floor(Date.now() / 1000);
      const { alg: wanted } = header as { alg?: string };
      const alg = wanted === "RS256" || wanted === "ES384" ? wanted : "RS384";
      const payload = { iss: clientId, sub: clientId, aud: audience, iat: now, exp: now + 240, jti: randomUUID(), ...claims };
      const input = [{ typ: "JWT", alg, ...keyFor(alg), ...header }, payload]
        .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
        .join(".");
      const { signature } = await sign(alg, input);
      return `${input}.${Buffer.from(signature).toString("base64url")}`;
    },
    fetches: () => fetchCount,
    publish: (next) => void (keys = next),
    close: () => new Promise((done) => void server.close(() => done()).closeAllConnections()),
  };
}

const keyFor = (alg: Algorithm) => ({ kid: `demo-${alg.toLowerCase()}` });

const published = (publicKey: KeyObject, alg: Algorithm) => ({
  ...publicKey.export({ format: "jwk" }),
  ...keyFor(alg),
  alg,
  use: "sig",
  key_ops: ["verify"],
});
