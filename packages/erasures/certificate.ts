import { createHash, createPublicKey, verify } from "node:crypto";
import { publicKey, sign } from "@vitaline/aws";
import { envReader } from "@vitaline/core";
import type { ErasureRow } from "@vitaline/store";
import * as z from "zod/mini";

const environment = envReader(z.object({ CERTIFICATE_KEY_ARN: z.string() }));

export type Certificate = NonNullable<ErasureRow["certificate"]>;
export type CertificateKey = Certificate["key"];

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const thumbprint = ({ e, kty, n }: CertificateKey): string =>
  createHash("sha256").update(JSON.stringify({ e, kty, n })).digest("base64url");

/** Data that remains after an erasure, and why; part of every certificate. */
const remaining = [
  "The audit log: ids and acts, no content, for its legal retention",
  "Short-lived technical rows without content or sealed: they end by themselves within thirty days",
];
const remainingOfTenant = [
  "Requests of patients not to be contacted",
  "Dates and lengths of calls, without content, that bills were made of",
];

export const certificateClaims = (row: ErasureRow) => {
  const { version: _version, certificate: _certificate, status: _status, copying: _copying, chartHash: _chart, copy, id, ...facts } = row;
  return {
    iss: "vitaline",
    jti: id,
    ...facts,
    copy: copy?.files.map(({ lines, bytes, sha256 }) => ({ lines, bytes, sha256 })) ?? [],
    stays: row.kind === "tenant" ? remaining : [...remaining, ...remainingOfTenant],
  };
};

/** Signs the finished erasure as a JWT (RFC 7515, RS256). AppError `unavailable`. */
export async function signCertificate(row: ErasureRow): Promise<Certificate> {
  const keyArn = environment().CERTIFICATE_KEY_ARN;
  const key = await certificateKey(keyArn);
  const head = encoded({ alg: "RS256", typ: "erasure+jwt", kid: thumbprint(key) });
  const input = `${head}.${encoded(certificateClaims(row))}`;
  const signature = await sign(keyArn, "RS256", input);
  return { jws: `${input}.${signature.toString("base64url")}`, key };
}

export const certificateKey = async (keyArn: string): Promise<CertificateKey> => ({ kty: "RSA", ...(await publicKey(keyArn)) });

export const certificateDigest = ({ jws }: Pick<Certificate, "jws">): string => createHash("sha256").update(jws).digest("hex");

/** The claims; undefined if the key did not sign the certificate. */
export function verifySignature(key: CertificateKey, jws: string): Record<string, unknown> | undefined {
  const [head = "", claims = "", signature = ""] = jws.split(".");
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    createPublicKey({ key, format: "jwk" }),
    Buffer.from(signature, "base64url"),
  );
  return isSigned ? (JSON.parse(Buffer.from(claims, "base64url").toString("utf8")) as Record<string, unknown>) : undefined;
}
