import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { AwsError } from "../http/respond.ts";
import type { AccessRequest, Answer, ConditionContext } from "../types.ts";
import { decodeAwsChunked } from "./aws-chunked.ts";
import {
  addVersion,
  current,
  readBlob,
  removeBlob,
  removeVersion,
  retag,
  writeBlob,
  type Blob,
  type Bucket,
  type ObjectVersion,
  type Upload,
} from "./object-store.ts";
import { checked, tagContext, tagsOfHeader } from "./lifecycle.ts";
import { textsOf, xml } from "./xml.ts";

const KEPT_HEADERS = /^(content-(type|encoding|disposition|language)|cache-control|expires|x-amz-meta-.*)$/;
const DAY_MS = 86_400_000;
const MIN_PART_BYTES = 5 * 1024 * 1024;

export type S3Call = {
  request: IncomingMessage;
  query: URLSearchParams;
  bucket: Bucket;
  key: string;
  authorize(access: AccessRequest): void;
  isAllowed(access: AccessRequest): boolean;
  authorizeKey(keyArn: string | undefined, action: "Decrypt" | "GenerateDataKey"): void;
};
type Operation = (call: S3Call) => Promise<Answer>;

export function s3OperationName(method: string, key: string, query: URLSearchParams): string | undefined {
  if (key === "") return { HEAD: "HeadBucket", GET: query.get("list-type") === "2" ? "ListObjectsV2" : undefined }[method];
  if (query.has("uploads")) return method === "POST" ? "CreateMultipartUpload" : undefined;
  if (query.has("uploadId")) return { PUT: "UploadPart", POST: "CompleteMultipartUpload", DELETE: "AbortMultipartUpload" }[method];
  if (query.has("tagging")) return { PUT: "PutObjectTagging", GET: "GetObjectTagging" }[method];
  return { PUT: "PutObject", GET: "GetObject", HEAD: "HeadObject", DELETE: "DeleteObject" }[method];
}

export const S3_OPERATIONS: Record<string, Operation> = {
  async PutObject(call) {
    const { bucket, key, request } = call;
    if (request.headers["x-amz-copy-source"]) throw new AwsError(501, "NotImplemented", "CopyObject is not supported here");
    const kmsKeyArn = authorizePut(call, "creates");
    const exists = current(bucket, key) !== undefined;
    if (request.headers["if-none-match"] === "*" && exists) throw preconditionFailed();
    const blob = await receive(call);
    // Checked again: another request may have written the key while this body arrived
    if (request.headers["if-none-match"] === "*" && current(bucket, key)) {
      removeBlob(bucket, blob);
      throw preconditionFailed();
    }
    const tags = tagsOfHeader(request.headers["x-amz-tagging"]);
    const version = { ...newVersion(call, blob, `"${blob.md5}"`, storedHeaders(request), kmsKeyArn), tags };
    addVersion(bucket, key, version);
    return { headers: { etag: version.etag, "x-amz-checksum-crc32": blob.crc32, ...versionHeaders(bucket, version) } };
  },
  async GetObject(call) {
    const version = readable(call);
    call.authorizeKey(version.kmsKeyArn, "Decrypt");
    return { headers: objectHeaders(call, version), body: readBlob(call.bucket, version) };
  },
  async HeadObject(call) {
    return { headers: objectHeaders(call, readable(call)) };
  },
  async PutObjectTagging(call) {
    const document = (await collect(call.request)).toString();
    const values = textsOf(document, "Value");
    const tags = checked(textsOf(document, "Key").map((name, at) => [name, values[at] ?? ""]));
    const version = found(call, "PutObjectTagging", tagContext(tags, current(call.bucket, call.key)?.tags));
    retag(call.bucket, call.key, version, tags);
    return { headers: versionHeaders(call.bucket, version) };
  },
  async GetObjectTagging(call) {
    const { tags = {} } = found(call, "GetObjectTagging");
    const Tag = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
    return { headers: { "content-type": "application/xml" }, body: xml("Tagging", { TagSet: { Tag } }) };
  },
  async DeleteObject(call) {
    const { bucket, key } = call;
    const versionId = call.query.get("versionId");
    call.authorize(objectAccess(call, versionId ? "DeleteObjectVersion" : "DeleteObject"));
    const record = bucket.objects.get(key);
    if (versionId) {
      const version = record?.versions.find((each) => each.versionId === versionId);
      if (version) checkLock(call, version);
      if (version) removeVersion(bucket, key, version);
    } else if (bucket.versioned) {
      const marker = newVersion(call, { file: "", size: 0, md5: "", crc32: "" }, "", {}, undefined);
      addVersion(bucket, key, { ...marker, retainUntil: undefined, deleteMarker: true });
      return { status: 204, headers: { "x-amz-delete-marker": "true", "x-amz-version-id": marker.versionId } };
    } else if (record) {
      removeVersion(bucket, key, record.versions[0]!);
    }
    return { status: 204 };
  },
  async HeadBucket(call) {
    call.authorize({ action: "s3:ListBucket", resource: bucketArn(call.bucket) });
    return {};
  },
  async ListObjectsV2(call) {
    const { bucket, query } = call;
    const prefix = query.get("prefix") ?? "";
    const context = { "s3:prefix": prefix, "s3:delimiter": query.get("delimiter") ?? undefined };
    call.authorize({ action: "s3:ListBucket", resource: bucketArn(bucket), context });
    return list(bucket, prefix, query);
  },
  async CreateMultipartUpload(call) {
    if (call.request.headers["x-amz-tagging"])
      throw new AwsError(501, "NotImplemented", "Tags of multipart uploads are not supported here");
    const kmsKeyArn = authorizePut(call, "begins");
    const uploadId = randomUUID();
    call.bucket.uploads.set(uploadId, { key: call.key, headers: storedHeaders(call.request), kmsKeyArn, parts: new Map() });
    const body = xml("InitiateMultipartUploadResult", { Bucket: call.bucket.name, Key: call.key, UploadId: uploadId });
    return { headers: { "content-type": "application/xml", ...encryptionHeaders(kmsKeyArn) }, body };
  },
  async UploadPart(call) {
    const upload = findUpload(call);
    authorizePut(call, "begins");
    const number = Number(call.query.get("partNumber"));
    if (!(number >= 1 && number <= 10_000)) throw new AwsError(400, "InvalidArgument", "Part number must be between 1 and 10000");
    const blob = await receive(call);
    const replaced = upload.parts.get(number);
    if (replaced) removeBlob(call.bucket, replaced);
    upload.parts.set(number, blob);
    return { headers: { etag: `"${blob.md5}"`, "x-amz-checksum-crc32": blob.crc32 } };
  },
  async CompleteMultipartUpload(call) {
    const { bucket, key } = call;
    const upload = findUpload(call);
    authorizePut(call, "creates");
    const mustBeNew = call.request.headers["if-none-match"] === "*";
    const parts = namedParts(upload, (await collect(call.request)).toString());
    const blob = await writeBlob(bucket, concatenated(bucket, parts));
    if (mustBeNew && current(bucket, key)) {
      removeBlob(bucket, blob);
      throw preconditionFailed();
    }
    const md5s = Buffer.concat(parts.map((part) => Buffer.from(part.md5, "hex")));
    const etag = `"${createHash("md5").update(md5s).digest("hex")}-${parts.length}"`;
    const version = newVersion(call, blob, etag, upload.headers, upload.kmsKeyArn);
    addVersion(bucket, key, version);
    removeUpload(call, upload);
    const body = xml("CompleteMultipartUploadResult", { Bucket: bucket.name, Key: key, ETag: etag });
    return { headers: { "content-type": "application/xml", ...versionHeaders(bucket, version) }, body };
  },
  async AbortMultipartUpload(call) {
    call.authorize(objectAccess(call, "AbortMultipartUpload"));
    removeUpload(call, findUpload(call));
    return { status: 204 };
  },
};

/** "begins": a step of an upload in parts before its completion, which creates the object. */
function authorizePut(call: S3Call, step: "creates" | "begins"): string | undefined {
  const headers = call.request.headers;
  const asked = headers["x-amz-server-side-encryption-aws-kms-key-id"] as string | undefined;
  call.authorize(
    objectAccess(call, "PutObject", {
      "s3:x-amz-server-side-encryption": headers["x-amz-server-side-encryption"] as string | undefined,
      "s3:x-amz-server-side-encryption-aws-kms-key-id": asked,
      "s3:if-none-match": headers["if-none-match"],
      "s3:ObjectCreationOperation": String(step === "creates"),
      ...tagContext(tagsOfHeader(headers["x-amz-tagging"]), undefined),
    }),
  );
  const tags = tagsOfHeader(headers["x-amz-tagging"]);
  if (tags) call.authorize(objectAccess(call, "PutObjectTagging", tagContext(tags, undefined)));
  if (headers["x-amz-object-lock-retain-until-date"]) call.authorize(objectAccess(call, "PutObjectRetention"));
  const kmsKeyArn = asked ?? call.bucket.kmsKeyArn;
  call.authorizeKey(kmsKeyArn, "GenerateDataKey");
  return kmsKeyArn;
}

/** Without s3:ListBucket a missing key answers 403, as in S3. */
function readable(call: S3Call): ObjectVersion {
  return found(call, call.query.get("versionId") ? "GetObjectVersion" : "GetObject");
}

function found(call: S3Call, action: string, context: ConditionContext = {}): ObjectVersion {
  const { bucket, key, query } = call;
  const versionId = query.get("versionId");
  call.authorize(objectAccess(call, action, { ...tagContext(undefined, current(bucket, key)?.tags), ...context }));
  const version = versionId
    ? bucket.objects.get(key)?.versions.find((each) => each.versionId === versionId && !each.deleteMarker)
    : current(bucket, key);
  if (version) return version;
  if (!call.isAllowed({ action: "s3:ListBucket", resource: bucketArn(bucket) })) throw accessDenied("Access Denied");
  throw new AwsError(404, versionId ? "NoSuchVersion" : "NoSuchKey", "The specified key does not exist.", { Key: key });
}

async function receive({ request, bucket }: S3Call): Promise<Blob> {
  const trailers = new Map<string, string>();
  const chunked = String(request.headers["x-amz-content-sha256"]).startsWith("STREAMING-");
  const blob = await writeBlob(bucket, chunked ? decodeAwsChunked(request, trailers) : request);
  const stated = (request.headers["x-amz-checksum-crc32"] as string | undefined) ?? trailers.get("x-amz-checksum-crc32");
  const length = request.headers["x-amz-decoded-content-length"];
  if ((stated && stated !== blob.crc32) || (length && Number(length) !== blob.size)) {
    removeBlob(bucket, blob);
    throw new AwsError(400, "BadDigest", "The checksum or length you specified did not match what we received.");
  }
  return blob;
}

function newVersion(
  { bucket, request }: S3Call,
  blob: Blob,
  etag: string,
  headers: Record<string, string>,
  kmsKeyArn: string | undefined,
): ObjectVersion {
  const asked = request.headers["x-amz-object-lock-retain-until-date"] as string | undefined;
  const byDefault = bucket.objectLock && Date.now() + bucket.objectLock.days * DAY_MS;
  return {
    ...blob,
    versionId: bucket.versioned ? randomUUID().replaceAll("-", "") : "null",
    etag,
    headers,
    kmsKeyArn,
    lastModified: Date.now(),
    retainUntil: asked ? Date.parse(asked) : byDefault,
  };
}

function storedHeaders(request: IncomingMessage): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (KEPT_HEADERS.test(name) && typeof value === "string") kept[name] = value;
  }
  const encoding = kept["content-encoding"]
    ?.split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "aws-chunked");
  delete kept["content-encoding"];
  return encoding && encoding.length > 0 ? { ...kept, "content-encoding": encoding.join(",") } : kept;
}

function objectHeaders({ bucket, query, request }: S3Call, version: ObjectVersion): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "binary/octet-stream",
    ...version.headers,
    "content-length": String(version.size),
    etag: version.etag,
    "last-modified": new Date(version.lastModified).toUTCString(),
    ...versionHeaders(bucket, version),
  };
  const tagged = Object.keys(version.tags ?? {}).length;
  if (tagged > 0) headers["x-amz-tagging-count"] = String(tagged);
  if (version.retainUntil) {
    headers["x-amz-object-lock-mode"] = bucket.objectLock?.mode ?? "COMPLIANCE";
    headers["x-amz-object-lock-retain-until-date"] = new Date(version.retainUntil).toISOString();
  }
  if (request.headers["x-amz-checksum-mode"] === "ENABLED") headers["x-amz-checksum-crc32"] = version.crc32;
  for (const name of ["content-type", "content-disposition", "cache-control"]) {
    const wanted = query.get(`response-${name}`);
    if (wanted) headers[name] = wanted;
  }
  return headers;
}

function versionHeaders(bucket: Bucket, version: ObjectVersion): Record<string, string> {
  return { ...(bucket.versioned && { "x-amz-version-id": version.versionId }), ...encryptionHeaders(version.kmsKeyArn) };
}

function encryptionHeaders(kmsKeyArn: string | undefined): Record<string, string> {
  if (!kmsKeyArn) return {};
  return { "x-amz-server-side-encryption": "aws:kms", "x-amz-server-side-encryption-aws-kms-key-id": kmsKeyArn };
}

function list(bucket: Bucket, prefix: string, query: URLSearchParams): Answer {
  const delimiter = query.get("delimiter");
  const after = query.get("continuation-token") ?? query.get("start-after") ?? "";
  const max = Math.min(Number(query.get("max-keys") ?? 1000), 1000);
  const keys = [...bucket.objects.keys()].filter((key) => key.startsWith(prefix) && key > after && current(bucket, key));
  const contents: string[] = [];
  const folders = new Set<string>();
  let last = "";
  let truncated = false;
  for (const key of keys.toSorted()) {
    const end = delimiter ? key.indexOf(delimiter, prefix.length) : -1;
    const folder = end < 0 ? undefined : key.slice(0, end + delimiter!.length);
    if (folder !== undefined && (folders.has(folder) || folder === after)) continue;
    if (contents.length + folders.size === max) {
      truncated = true;
      break;
    }
    if (folder === undefined) contents.push(key);
    else folders.add(folder);
    // Continues after the last key under the common prefix
    last = folder === undefined ? key : `${folder}\u{ffff}`;
  }
  const body = xml("ListBucketResult", {
    Name: bucket.name,
    Prefix: prefix,
    KeyCount: contents.length + folders.size,
    MaxKeys: max,
    IsTruncated: truncated,
    NextContinuationToken: truncated ? last : undefined,
    Contents: contents.map((key) => {
      const { lastModified, etag, size } = current(bucket, key)!;
      return { Key: key, LastModified: new Date(lastModified).toISOString(), ETag: etag, Size: size, StorageClass: "STANDARD" };
    }),
    CommonPrefixes: [...folders].map((folder) => ({ Prefix: folder })),
  });
  return { headers: { "content-type": "application/xml" }, body };
}

function findUpload({ bucket, key, query }: S3Call): Upload {
  const upload = bucket.uploads.get(query.get("uploadId")!);
  if (upload?.key === key) return upload;
  throw new AwsError(404, "NoSuchUpload", "The specified multipart upload does not exist.");
}

function removeUpload({ bucket, query }: S3Call, upload: Upload): void {
  bucket.uploads.delete(query.get("uploadId")!);
  for (const part of upload.parts.values()) removeBlob(bucket, part);
}

/** Source: "CompleteMultipartUpload" in the S3 API reference. */
function namedParts(upload: Upload, document: string): Blob[] {
  const etags = textsOf(document, "ETag");
  const numbers = textsOf(document, "PartNumber").map(Number);
  if (numbers.length === 0) throw new AwsError(400, "MalformedXML", "The XML you provided was not well-formed.");
  if (numbers.some((number, at) => at > 0 && number <= numbers[at - 1]!))
    throw new AwsError(400, "InvalidPartOrder", "The list of parts was not in ascending order.");
  const parts = numbers.map((number, at) => {
    const part = upload.parts.get(number);
    if (part && etags[at]?.replaceAll('"', "") === part.md5) return part;
    throw new AwsError(400, "InvalidPart", "One or more of the specified parts could not be found.");
  });
  if (parts.slice(0, -1).some(({ size }) => size < MIN_PART_BYTES))
    throw new AwsError(400, "EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size");
  return parts;
}

/** COMPLIANCE never allows an early deletion; GOVERNANCE allows it with the bypass header and permission. */
function checkLock(call: S3Call, { retainUntil }: ObjectVersion): void {
  if (retainUntil === undefined || retainUntil <= Date.now()) return;
  const bypass = call.bucket.objectLock?.mode === "GOVERNANCE" && call.request.headers["x-amz-bypass-governance-retention"] === "true";
  if (!bypass) throw accessDenied("Access Denied because object protected by object lock.");
  call.authorize(objectAccess(call, "BypassGovernanceRetention"));
}

async function* concatenated(bucket: Bucket, parts: Blob[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield* readBlob(bucket, part) as AsyncIterable<Buffer>;
}

async function collect(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces);
}

export function bucketArn(bucket: Bucket): string {
  return `arn:aws:s3:::${bucket.name}`;
}

function objectAccess(call: S3Call, action: string, context = {}): AccessRequest {
  return { action: `s3:${action}`, resource: `${bucketArn(call.bucket)}/${call.key}`, context };
}

function preconditionFailed(): AwsError {
  return new AwsError(412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold");
}

function accessDenied(message: string): AwsError {
  return new AwsError(403, "AccessDenied", message);
}
