import { constants, createPublicKey, privateEncrypt, sign, verify, type KeyObject } from "node:crypto";
import { AwsError } from "../error.ts";
import { invalidField } from "../fields.ts";

type Hash = { name: string; digestBytes: number; digestInfo: string };

/** PKCS#1 v1.5 needs the DER prefix that names the hash when it is given a digest (RFC 8017, 9.2, note 1). */
const HASHES: Record<string, Hash> = {
  RSASSA_PKCS1_V1_5_SHA_256: { name: "sha256", digestBytes: 32, digestInfo: "3031300d060960864801650304020105000420" },
  RSASSA_PKCS1_V1_5_SHA_384: { name: "sha384", digestBytes: 48, digestInfo: "3041300d060960864801650304020205000430" },
  RSASSA_PKCS1_V1_5_SHA_512: { name: "sha512", digestBytes: 64, digestInfo: "3051300d060960864801650304020305000440" },
};

export const SIGNING_ALGORITHMS = Object.keys(HASHES);

export function signMessage(key: KeyObject, algorithm: string, message: Buffer, isDigest: boolean): Buffer {
  const hash = hashOf(algorithm);
  if (!isDigest) return sign(hash.name, message, key);
  refuseOtherLength(message, hash);
  const info = Buffer.concat([Buffer.from(hash.digestInfo, "hex"), message]);
  return privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, info);
}

export function isSignature(key: KeyObject, algorithm: string, message: Buffer, isDigest: boolean, signature: Buffer): boolean {
  const hash = hashOf(algorithm);
  // PKCS#1 v1.5 is deterministic: the right signature of a digest is the one that signing gives
  if (isDigest) return signMessage(key, algorithm, message, true).equals(signature);
  return verify(hash.name, message, createPublicKey(key), signature);
}

function hashOf(algorithm: string): Hash {
  const hash = HASHES[algorithm];
  if (hash) return hash;
  throw new AwsError(400, "InvalidKeyUsageException", `Algorithm ${algorithm} is incompatible with this key or not offered here.`);
}

function refuseOtherLength(digest: Buffer, hash: Hash): void {
  if (digest.length !== hash.digestBytes) throw invalidField("Message", `Digest is invalid length for algorithm ${hash.name}`);
}
