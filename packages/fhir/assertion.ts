import { randomUUID } from "node:crypto";
import { ehrError } from "./errors.ts";

export type AssertionAlgorithm = "RS384" | "RS256";

/** Signs a JWS: gets the algorithm and a function from the key's id to the signing input. */
export type SignAssertion = (
  algorithm: AssertionAlgorithm,
  input: (kid: string) => string,
) => Promise<{ input: string; signature: Uint8Array }>;

/** Epic and the SMART guide allow five minutes at arrival; the rest is for clocks that differ. */
const lifetimeSeconds = 240;
/** Some servers refuse what was issued in the future, as their clock sees it. */
const skewSeconds = 5;

/** RS384 unless the server says that it takes only RS256. AppError `ehr_auth` when it takes neither. */
export function chooseAlgorithm(offered: string[] | undefined): AssertionAlgorithm {
  const chosen = (["RS384", "RS256"] as const).find((algorithm) => offered === undefined || offered.includes(algorithm));
  if (!chosen) throw ehrError("ehr_auth");
  return chosen;
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");

/** A client assertion (RFC 7523) for one request: https://hl7.org/fhir/smart-app-launch/client-confidential-asymmetric.html */
export async function clientAssertion(options: {
  clientId: string;
  tokenUrl: string;
  algorithm: AssertionAlgorithm;
  sign: SignAssertion;
  now: Date;
}): Promise<string> {
  const { clientId, tokenUrl, algorithm, sign, now } = options;
  const nowSeconds = Math.floor(now.getTime() / 1000);
  const claims = {
    iss: clientId,
    sub: clientId,
    aud: tokenUrl,
    iat: nowSeconds - skewSeconds,
    exp: nowSeconds + lifetimeSeconds,
    jti: randomUUID(),
  };
  const { input, signature } = await sign(algorithm, (kid) => `${encode({ alg: algorithm, kid, typ: "JWT" })}.${encode(claims)}`);
  return `${input}.${Buffer.from(signature).toString("base64url")}`;
}
