import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { AwsError } from "./error.ts";
import type { Principal } from "./types.ts";

/** What a request says of its signer in its Authorization header. */
export type Signed = {
  accessKeyId: string;
  date: string;
  region: string;
  service: string;
  signedHeaders: string[];
  signature: string;
};

const ALGORITHM = "AWS4-HMAC-SHA256";

/** Reads the SigV4 fields; undefined when the request is not signed. Presigned addresses are not offered here. */
export function readSignature(request: IncomingMessage): Signed | undefined {
  const header = request.headers.authorization;
  if (!header?.startsWith(ALGORITHM)) return undefined;
  const field = (name: string) => new RegExp(`${name}=([^,\\s]+)`).exec(header)?.[1] ?? "";
  const [accessKeyId, date, region, service] = field("Credential").split("/");
  if (!accessKeyId || !date || !region || !service) return undefined;
  return { accessKeyId, date, region, service, signedHeaders: field("SignedHeaders").split(";"), signature: field("Signature") };
}

/** Throws when the principal has a secret and the signature is not made with it. */
export function checkSignature(request: IncomingMessage, url: URL, body: Buffer | undefined, by: Signed, principal: Principal): void {
  if (!principal.secretAccessKey) return;
  const expected = sign(request, url, body, by, principal.secretAccessKey);
  const equal = expected.length === by.signature.length && timingSafeEqual(Buffer.from(expected), Buffer.from(by.signature));
  if (!equal)
    throw new AwsError(403, "SignatureDoesNotMatch", "The request signature we calculated does not match the signature you provided.");
}

/** The signature this request should carry. Source: "Create a signed AWS API request" in the IAM User Guide. */
function sign(request: IncomingMessage, url: URL, body: Buffer | undefined, by: Signed, secret: string): string {
  const scope = `${by.date}/${by.region}/${by.service}/aws4_request`;
  const stamp = request.headers["x-amz-date"];
  const canonical = [
    request.method,
    by.service === "s3" ? url.pathname : doubleEncoded(url.pathname),
    canonicalQuery(url),
    ...by.signedHeaders.map((name) => `${name}:${headerValue(request, name)}`),
    "",
    by.signedHeaders.join(";"),
    payloadHash(request, body),
  ].join("\n");
  const toSign = [ALGORITHM, stamp, scope, sha256(canonical)].join("\n");
  const key = [by.date, by.region, by.service, "aws4_request"].reduce(hmac, Buffer.from(`AWS4${secret}`) as Buffer);
  return hmac(key, toSign).toString("hex");
}

function payloadHash(request: IncomingMessage, body: Buffer | undefined): string {
  const stated = request.headers["x-amz-content-sha256"];
  return typeof stated === "string" ? stated : sha256(body ?? "");
}

function canonicalQuery(url: URL): string {
  return [...url.searchParams]
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

function hmac(key: Buffer, data: string): Buffer {
  return createHmac("sha256", key).update(data).digest();
}
