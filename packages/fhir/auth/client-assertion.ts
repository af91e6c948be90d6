import { createHash, createPublicKey, type KeyObject, randomUUID, sign } from "node:crypto";
import { ehrError } from "../http/errors.ts";

/** What an RSA key can sign with, and all that we can: an EC P-384 key signs ES384. */
export type RsaAlgorithm = "RS384" | "RS256";
export type AssertionAlgorithm = RsaAlgorithm | "ES384";

/** Signs a JWS: gets the algorithm and a function from the key's id to the signing input. An ES384 signature is r and s in 96 bytes (RFC 7518 3.4). */
export type SignAssertion<Algorithm extends AssertionAlgorithm = RsaAlgorithm> = (
  algorithm: Algorithm,
  input: (kid: string) => string,
) => Promise<{ input: string; signature: Uint8Array }>;

/** Epic and the SMART guide allow five minutes at arrival; the rest is for clocks that differ. */
const lifetimeSeconds = 240;
/** Some servers refuse what was issued in the future, as their clock sees it. */
const skewSeconds = 5;

/** The SMART guide wants every client to know the first two, and every server one of them. */
const preferred = ["RS384", "ES384", "RS256"] as const;
const rsaAlgorithms: readonly AssertionAlgorithm[] = ["RS384", "RS256"];

/** Who signs for a client: one function for its RSA key, one for its EC P-384 key, whichever it has. */
export type Signers = { sign?: SignAssertion; signEc?: SignAssertion<"ES384"> };

/** What a client can sign with. */
export const availableAlgorithms = ({ sign, signEc }: Signers): AssertionAlgorithm[] =>
  preferred.filter((algorithm) => (algorithm === "ES384" ? signEc : sign) !== undefined);

/** The first of RS384, ES384, RS256 that is held (those of an RSA key unless told) and that the server takes; a server that names none takes all. */
export const selectAlgorithm = (offered: string[] | undefined, held = rsaAlgorithms): AssertionAlgorithm | undefined =>
  preferred.find((algorithm) => held.includes(algorithm) && (offered === undefined || offered.includes(algorithm)));

/** AppError `ehr_auth` when the server takes none of ours. */
export function requireAlgorithm(offered: string[] | undefined, held = rsaAlgorithms): AssertionAlgorithm {
  const chosen = selectAlgorithm(offered, held);
  if (!chosen) throw ehrError("ehr_auth");
  return chosen;
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");

/** A client assertion (RFC 7523) for one request: https://hl7.org/fhir/smart-app-launch/client-confidential-asymmetric.html */
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

/** What a private key can sign with: RSA of 2048 bits at least, or EC P-384; nothing else. */
export function keyAlgorithms(key: KeyObject): readonly AssertionAlgorithm[] {
  if (key.asymmetricKeyType === "rsa") return (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048 ? ["RS384", "RS256"] : [];
  return key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === "secp384r1" ? ["ES384"] : [];
}

/** The RFC 7638 thumbprint of a key's public half: what whoever registered the key can compute as its kid. */
export function jwkThumbprint(key: KeyObject): string {
  const { kty, e, n, crv, x, y } = createPublicKey(key.export({ type: "pkcs8", format: "pem" })).export({ format: "jwk" });
  return createHash("sha256")
    .update(JSON.stringify(kty === "RSA" ? { e, kty, n } : { crv, kty, x, y }))
    .digest("base64url");
}

/** Signs a JWS with a private key at hand, under its thumbprint as kid. The algorithm is one of `keyAlgorithms(key)`. */
export function signWithKey(
  key: KeyObject,
  algorithm: AssertionAlgorithm,
  input: (kid: string) => string,
): { input: string; signature: Uint8Array } {
  const text = input(jwkThumbprint(key));
  const hash = algorithm === "RS256" ? "sha256" : "sha384";
  return { input: text, signature: sign(hash, Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }) };
}
