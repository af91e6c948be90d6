import { createHash, createPublicKey, sign, type KeyObject } from "node:crypto";
import type { AssertionAlgorithm } from "./assertion.ts";

/** What a private key can sign with: RSA of 2048 bits at least, or EC P-384; nothing else. */
export function algorithmsOf(key: KeyObject): readonly AssertionAlgorithm[] {
  if (key.asymmetricKeyType === "rsa") return (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048 ? ["RS384", "RS256"] : [];
  return key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === "secp384r1" ? ["ES384"] : [];
}

/** The RFC 7638 thumbprint of a key's public half: what whoever registered the key can compute as its kid. */
export function thumbprintOf(key: KeyObject): string {
  const { kty, e, n, crv, x, y } = createPublicKey(key.export({ type: "pkcs8", format: "pem" })).export({ format: "jwk" });
  return createHash("sha256")
    .update(JSON.stringify(kty === "RSA" ? { e, kty, n } : { crv, kty, x, y }))
    .digest("base64url");
}

/** Signs a JWS with a private key at hand, under its thumbprint as kid. The algorithm is one of `algorithmsOf(key)`. */
export function signWithKey(
  key: KeyObject,
  algorithm: AssertionAlgorithm,
  input: (kid: string) => string,
): { input: string; signature: Uint8Array } {
  const text = input(thumbprintOf(key));
  const hash = algorithm === "RS256" ? "sha256" : "sha384";
  return { input: text, signature: sign(hash, Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }) };
}
