import { createHash, createHmac, createSecretKey, timingSafeEqual, type KeyObject } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { AwsError } from "./respond.ts";
import type { Principal } from "../types.ts";

export type Signed = {
  accessKeyId: string;
  date: string;
  region: string;
  service: string;
  signedHeaders: string[];
  signature: string;
  stamp: string;
  expiresSeconds?: number;
};

const ALGORITHM = "AWS4-HMAC-SHA256";
const WEEK_SECONDS = 7 * 24 * 3600;

/** Reads the SigV4 fields from the Authorization header or, for a presigned URL, the query; undefined for an unsigned request. */
export function readSignature(request: IncomingMessage, { searchParams }: URL): Signed | undefined {
  const header = request.headers.authorization;
  if (header?.startsWith(ALGORITHM)) {
    const field = (name: string) => new RegExp(`${name}=([^,\\s]+)`).exec(header)?.[1] ?? "";
    return signedBy(field, String(request.headers["x-amz-date"]));
  }
  if (header !== undefined || searchParams.get("X-Amz-Algorithm") !== ALGORITHM) return undefined;
  const field = (name: string) => searchParams.get(`X-Amz-${name}`) ?? "";
  const signed = signedBy(field, field("Date"));
  return signed && { ...signed, expiresSeconds: Number(field("Expires") || "none") };
}

function signedBy(field: (name: string) => string, stamp: string): Signed | undefined {
  const [accessKeyId, date, region, service] = field("Credential").split("/");
  if (!accessKeyId || !date || !region || !service) return undefined;
  return { accessKeyId, date, region, service, stamp, signedHeaders: field("SignedHeaders").split(";"), signature: field("Signature") };
}

/** Throws for an expired presigned URL. Source: "Authenticating Requests: Using Query Parameters" in the S3 API reference. */
export function checkExpiry({ service, stamp, expiresSeconds }: Signed, nowMs = Date.now()): void {
  if (expiresSeconds === undefined) return;
  const signedMs = Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  const within = Number.isInteger(expiresSeconds) && expiresSeconds >= 1 && expiresSeconds <= WEEK_SECONDS;
  if (service !== "s3" || !within || Number.isNaN(signedMs))
    throw new AwsError(
      400,
      "AuthorizationQueryParametersError",
      "X-Amz-Expires must be between 1 and 604800 seconds, and X-Amz-Date an instant.",
    );
  const endMs = signedMs + expiresSeconds * 1000;
  if (nowMs <= endMs) return;
  throw new AwsError(403, "AccessDenied", "Request has expired", {
    "X-Amz-Expires": String(expiresSeconds),
    Expires: new Date(endMs).toISOString(),
    ServerTime: new Date(nowMs).toISOString(),
  });
}

/** Throws for a wrong signature. A principal without a secret is not checked. */
export function checkSignature(request: IncomingMessage, url: URL, body: Buffer | undefined, by: Signed, principal: Principal): void {
  if (!principal.secretAccessKey) return;
  const expected = sign(request, url, body, by, principal.secretAccessKey);
  const equal = expected.length === by.signature.length && timingSafeEqual(Buffer.from(expected), Buffer.from(by.signature));
  if (!equal)
    throw new AwsError(403, "SignatureDoesNotMatch", "The request signature we calculated does not match the signature you provided.");
}

/** Source: "Create a signed AWS API request" in the IAM User Guide. */
function sign(request: IncomingMessage, url: URL, body: Buffer | undefined, by: Signed, secret: string): string {
  const scope = `${by.date}/${by.region}/${by.service}/aws4_request`;
  const canonical = [
    request.method,
    by.service === "s3" ? url.pathname : doubleEncoded(url.pathname),
    canonicalQuery(url, by),
    ...by.signedHeaders.map((name) => `${name}:${headerValue(request, name)}`),
    "",
    by.signedHeaders.join(";"),
    by.expiresSeconds === undefined ? payloadHash(request, body) : "UNSIGNED-PAYLOAD",
  ].join("\n");
  const toSign = [ALGORITHM, by.stamp, scope, sha256(canonical)].join("\n");
  return hmac(signingKey(by, secret), toSign).toString("hex");
}

function payloadHash(request: IncomingMessage, body: Buffer | undefined): string {
  const stated = request.headers["x-amz-content-sha256"];
  return typeof stated === "string" ? stated : sha256(body ?? "");
}

function canonicalQuery(url: URL, { expiresSeconds }: Signed): string {
  return [...url.searchParams]
    .filter(([name]) => expiresSeconds === undefined || name !== "X-Amz-Signature")
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join("&");
}

function headerValue(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return (Array.isArray(value) ? value.join(",") : (value ?? "")).trim().replace(/ +/g, " ");
}

function doubleEncoded(path: string): string {
  return path.split("/").map(encode).join("/");
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(data: string | Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}

const signingKeys = new Map<string, KeyObject>();
/** Each role session has a secret of its own. */
const maxSigningKeys = 5000;

function signingKey({ date, region, service }: Signed, secret: string): KeyObject {
  const id = `${secret}/${date}/${region}/${service}`;
  let key = signingKeys.get(id);
  if (!key) {
    const start = createSecretKey(`AWS4${secret}`, "utf8");
    key = [date, region, service, "aws4_request"].reduce((last, part) => createSecretKey(hmac(last, part)), start);
    if (signingKeys.size >= maxSigningKeys) signingKeys.clear();
    signingKeys.set(id, key);
  }
  return key;
}

/** Node checks a key that is a Buffer for being a KeyObject, which takes longer than the hash. */
function hmac(key: KeyObject, data: string): Buffer {
  return createHmac("sha256", key).update(data).digest();
}
