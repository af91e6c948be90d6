import { createHash, createPublicKey, type KeyObject, randomUUID, sign } from "node:crypto";
import { ehrError } from "../http/errors.ts";

/** An RSA key signs with these; an EC P-384 key signs ES384. */
export type RsaAlgorithm = "RS384" | "RS256";
export type AssertionAlgorithm = RsaAlgorithm | "ES384";

/** Signs a JWS; `input` builds the signing input from the key id. An ES384 signature is r and s in 96 bytes (RFC 7518 3.4). */
export type SignAssertion<Algorithm extends AssertionAlgorithm = RsaAlgorithm> = (
  algorithm: Algorithm,
  input: (kid: string) => string,
) => Promise<{ input: string; signature: Uint8Array }>;

/** `sign` uses the client's RSA key, `signEc` its EC P-384 key. */
export type Signers = { sign?: SignAssertion; signEc?: SignAssertion<"ES384"> };

/** Epic and the SMART guide allow five minutes on arrival; the rest is for clock skew. */
const lifetimeSeconds = 240;
/** Some servers refuse an `iat` that is in the future by their clock. */
const skewSeconds = 5;

/** The SMART guide requires every client to support the first two, and every server one of them. */
const preferredAlgorithms = ["RS384", "ES384", "RS256"] as const;
const rsaAlgorithms: readonly AssertionAlgorithm[] = ["RS384", "RS256"];

export const availableAlgorithms = ({ sign: signRsa, signEc }: Signers): AssertionAlgorithm[] =>
  preferredAlgorithms.filter((algorithm) => (algorithm === "ES384" ? signEc : signRsa) !== undefined);

/** The preferred one of the `available` algorithms that the server supports; a server that lists none supports all. */
export const selectAlgorithm = (supported: string[] | undefined, available = rsaAlgorithms): AssertionAlgorithm | undefined =>
  preferredAlgorithms.find((algorithm) => available.includes(algorithm) && (supported === undefined || supported.includes(algorithm)));

/** AppError `ehr_auth` when the server supports none of ours. */
export function requireAlgorithm(supported: string[] | undefined, available = rsaAlgorithms): AssertionAlgorithm {
  const algorithm = selectAlgorithm(supported, available);
  if (!algorithm) throw ehrError("ehr_auth");
  return algorithm;
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");

/** A single-use JWT (RFC 7523). https://hl7.org/fhir/smart-app-launch/client-confidential-asymmetric.html */
export async function clientAssertion(options: {
  clientId: string;
  tokenUrl: string;
  algorithm: AssertionAlgorithm;
  signers: Signers;
  now: Date;
}): Promise<string> {
  const { clientId, tokenUrl, algorithm, signers, now } = options;
  const nowSeconds = Math.floor(now.getTime() / 1000);
  const claims = {
    iss: clientId,
    sub: clientId,
    aud: tokenUrl,
    iat: nowSeconds - skewSeconds,
    exp: nowSeconds + lifetimeSeconds,
    jti: randomUUID(),
  };
  const text = (kid: string): string => `${encode({ alg: algorithm, kid, typ: "JWT" })}.${encode(claims)}`;
  const signed = algorithm === "ES384" ? signers.signEc?.(algorithm, text) : signers.sign?.(algorithm, text);
  if (!signed) throw ehrError("ehr_auth");
  const { input, signature } = await signed;
  return `${input}.${Buffer.from(signature).toString("base64url")}`;
}

/** The algorithms of a private key: RSA of at least 2048 bits or EC P-384; empty for any other key. */
export function keyAlgorithms(key: KeyObject): readonly AssertionAlgorithm[] {
  if (key.asymmetricKeyType === "rsa") return (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048 ? ["RS384", "RS256"] : [];
  return key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === "secp384r1" ? ["ES384"] : [];
}

/** The RFC 7638 thumbprint of the public key, used as its kid. */
export function jwkThumbprint(key: KeyObject): string {
  const { kty, e, n, crv, x, y } = createPublicKey(key.export({ type: "pkcs8", format: "pem" })).export({ format: "jwk" });
  return createHash("sha256")
    .update(JSON.stringify(kty === "RSA" ? { e, kty, n } : { crv, kty, x, y }))
    .digest("base64url");
}

/** Signs a JWS under the key's thumbprint as kid; `algorithm` must be one of `keyAlgorithms(key)`. */
export function signWithKey(
  key: KeyObject,
  algorithm: AssertionAlgorithm,
  input: (kid: string) => string,
): { input: string; signature: Uint8Array } {
  const text = input(jwkThumbprint(key));
  const hash = algorithm === "RS256" ? "sha256" : "sha384";
  return { input: text, signature: sign(hash, Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }) };
}
