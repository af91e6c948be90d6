import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
  type CompletedPart,
  type PutObjectCommandInput,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { account, region, startEndpoint, type Endpoint } from "../endpoint.fixture.ts";

const Bucket = "files";
let it: Endpoint;
beforeAll(async () => {
  it = await startEndpoint();
  await it.aws.s3.ensureBucket({ name: Bucket });
});
afterAll(() => it.close());

const put = (Key: string, Body: PutObjectCommandInput["Body"], more: Partial<PutObjectCommandInput> = {}) =>
  it.s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const get = async (Key: string, more = {}) =>
  Buffer.from(await (await it.s3.send(new GetObjectCommand({ Bucket, Key, ...more }))).Body!.transformToByteArray());

test("an object comes back byte for byte with its headers", async () => {
  const body = randomBytes(100_000);
  const { ETag } = await put("a folder/ä&b.bin", body, {
    ContentType: "application/x-test",
    CacheControl: "no-store",
    Metadata: { kind: "test" },
  });
  expect((await get("a folder/ä&b.bin")).equals(body)).toBe(true);
  const head = await it.s3.send(new HeadObjectCommand({ Bucket, Key: "a folder/ä&b.bin" }));
  expect(head).toMatchObject({
    ContentLength: 100_000,
    ContentType: "application/x-test",
    CacheControl: "no-store",
    Metadata: { kind: "test" },
    ETag,
  });
});

test("a streamed body arrives without its chunk frames", async () => {
  const body = randomBytes(300_000);
  await put("streamed", Readable.from([body.subarray(0, 100_000), body.subarray(100_000)]), { ContentLength: body.length });
  expect((await get("streamed")).equals(body)).toBe(true);
  expect((await it.s3.send(new HeadObjectCommand({ Bucket, Key: "streamed" }))).ContentEncoding).toBeUndefined();
});

test("an empty object is an object", async () => {
  await put("empty", new Uint8Array());
  expect(await get("empty")).toHaveLength(0);
});

test("a body with a wrong checksum is refused and not stored", async () => {
  await expect(put("damaged", "text", { ChecksumCRC32: "AAAAAA==" })).rejects.toMatchObject({ name: "BadDigest" });
  await expect(get("damaged")).rejects.toMatchObject({ name: "NoSuchKey" });
});

test("a put with If-None-Match does not overwrite", async () => {
  await put("once", "first", { IfNoneMatch: "*" });
  await expect(put("once", "second", { IfNoneMatch: "*" })).rejects.toMatchObject({ name: "PreconditionFailed" });
  expect((await get("once")).toString()).toBe("first");
});

test("a deleted or unknown object is not found; deleting twice is no error", async () => {
  await put("gone", "x");
  for (let time = 0; time < 2; time++) await it.s3.send(new DeleteObjectCommand({ Bucket, Key: "gone" }));
  await expect(get("gone")).rejects.toMatchObject({ name: "NoSuchKey", $metadata: { httpStatusCode: 404 } });
  await expect(it.s3.send(new HeadObjectCommand({ Bucket, Key: "gone" }))).rejects.toMatchObject({ name: "NotFound" });
  await expect(it.s3.send(new GetObjectCommand({ Bucket: "nowhere", Key: "x" }))).rejects.toMatchObject({ name: "NoSuchBucket" });
  await it.s3.send(new HeadBucketCommand({ Bucket }));
});

test("a list shows keys in order, by prefix, folder and page", async () => {
  for (const Key of ["list/a/1", "list/a/2", "list/b/1", "list/c", "list/d"]) await put(Key, "x");
  const pages: string[][] = [];
  let ContinuationToken: string | undefined;
  do {
    const page = await it.s3.send(new ListObjectsV2Command({ Bucket, Prefix: "list/", Delimiter: "/", MaxKeys: 2, ContinuationToken }));
    pages.push([...(page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix!), ...(page.Contents ?? []).map(({ Key }) => Key!)]);
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken);
  expect(pages).toEqual([
    ["list/a/", "list/b/"],
    ["list/c", "list/d"],
  ]);
});

test("an upload in parts is one object once it is completed", async () => {
  const Key = "parts";
  const { UploadId } = await it.s3.send(new CreateMultipartUploadCommand({ Bucket, Key, ContentType: "text/plain" }));
  const bodies = [randomBytes(5 * 1024 * 1024), randomBytes(10)];
  const Parts = [];
  for (const [at, Body] of bodies.entries()) {
    const { ETag } = await it.s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: at + 1, Body }));
    Parts.push({ ETag, PartNumber: at + 1 });
  }
  await expect(get(Key)).rejects.toMatchObject({ name: "NoSuchKey" });
  await it.s3.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));
  expect((await get(Key)).equals(Buffer.concat(bodies))).toBe(true);
});

const MiB = 1024 * 1024;
const startUpload = async (Key: string) => (await it.s3.send(new CreateMultipartUploadCommand({ Bucket, Key }))).UploadId!;
const part = async (Key: string, UploadId: string, PartNumber: number, Body: Buffer) => {
  const { ETag } = await it.s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
  return { ETag, PartNumber };
};
const complete = (Key: string, UploadId: string, Parts: CompletedPart[], more = {}) =>
  it.s3.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts }, ...more }));

test("a stream of unknown length arrives whole through the SDK's own uploader", async () => {
  const body = randomBytes(12 * MiB + 17);
  const pieces = Array.from({ length: 13 }, (_, at) => body.subarray(at * MiB, (at + 1) * MiB));
  const upload = new Upload({ client: it.s3, params: { Bucket, Key: "uploaded", Body: Readable.from(pieces), ContentType: "text/csv" } });
  const { ETag } = (await upload.done()) as { ETag?: string };
  expect(ETag).toMatch(/^"[0-9a-f]{32}-3"$/);
  expect((await get("uploaded")).equals(body)).toBe(true);
  expect((await it.s3.send(new HeadObjectCommand({ Bucket, Key: "uploaded" }))).ContentType).toBe("text/csv");
});

test("an upload is refused when a part before the last is under 5 MiB, out of order, unknown or another than was sent", async () => {
  const Key = "refused";
  const UploadId = await startUpload(Key);
  const [small, large] = [await part(Key, UploadId, 1, randomBytes(5 * MiB - 1)), await part(Key, UploadId, 2, randomBytes(5 * MiB))];
  await expect(complete(Key, UploadId, [small, large])).rejects.toMatchObject({ name: "EntityTooSmall" });
  await expect(complete(Key, UploadId, [large, small])).rejects.toMatchObject({ name: "InvalidPartOrder" });
  await expect(complete(Key, UploadId, [large, { ETag: large.ETag, PartNumber: 3 }])).rejects.toMatchObject({ name: "InvalidPart" });
  await expect(complete(Key, UploadId, [{ ETag: small.ETag, PartNumber: 2 }])).rejects.toMatchObject({ name: "InvalidPart" });
  await complete(Key, UploadId, [large]);
  expect(await get(Key)).toHaveLength(5 * MiB);
});

test("an aborted or completed upload is over, and a conditional one does not overwrite", async () => {
  const Key = "given up";
  const UploadId = await startUpload(Key);
  const only = await part(Key, UploadId, 1, randomBytes(10));
  await it.s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  await expect(complete(Key, UploadId, [only])).rejects.toMatchObject({ name: "NoSuchUpload" });
  await put(Key, "first");
  const second = await startUpload(Key);
  const its = await part(Key, second, 1, randomBytes(10));
  await expect(complete(Key, second, [its], { IfNoneMatch: "*" })).rejects.toMatchObject({ name: "PreconditionFailed" });
  expect((await get(Key)).toString()).toBe("first");
});

describe("a presigned address", () => {
  const Key = "exports/a report.csv";
  const sign = (more: { expiresIn?: number; signingDate?: Date } = {}, client = it.s3) =>
    getSignedUrl(client, new GetObjectCommand({ Bucket, Key, ResponseContentDisposition: 'attachment; filename="audit.csv"' }), {
      expiresIn: 600,
      ...more,
    });
  beforeAll(() => put(Key, "one,two", { ContentType: "text/csv" }));

  test("returns the object to any client, under the signed file name", async () => {
    const answer = await fetch(await sign());
    expect([answer.status, await answer.text()]).toEqual([200, "one,two"]);
    expect(answer.headers.get("content-type")).toBe("text/csv");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="audit.csv"');
  });

  test("is refused once its time is over", async () => {
    const answer = await fetch(await sign({ expiresIn: 60, signingDate: new Date(Date.now() - 61_000) }));
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining("<Message>Request has expired</Message>")]);
    expect((await fetch(await sign({ expiresIn: 60, signingDate: new Date(Date.now() - 50_000) }))).status).toBe(200);
  });

  test.each<[what: string, change: (url: URL) => void, status: number]>([
    ["longer", (url) => url.searchParams.set("X-Amz-Expires", "6000"), 403],
    ["for another object", (url) => (url.pathname = `/${Bucket}/streamed`), 403],
    ["under another file name", (url) => url.searchParams.set("response-content-disposition", "inline"), 403],
    ["for ever", (url) => url.searchParams.set("X-Amz-Expires", "604801"), 403],
    ["without an end", (url) => url.searchParams.delete("X-Amz-Expires"), 403],
    [
      "by an unknown access key",
      (url) => url.searchParams.set("X-Amz-Credential", url.searchParams.get("X-Amz-Credential")!.replace("operator", "unknown")),
      403,
    ],
  ])("that was changed to hold %s is refused", async (_what, change, status) => {
    const url = new URL(await sign());
    change(url);
    expect((await fetch(url)).status).toBe(status);
  });

  test("is valid for its method only", async () => {
    const url = await sign();
    expect((await fetch(url, { method: "DELETE" })).status).toBe(403);
    expect((await fetch(url, { method: "PUT", body: "x" })).status).toBe(403);
    expect((await get(Key)).toString()).toBe("one,two");
  });

  test("has the permissions of its signer only", async () => {
    const { s3 } = it.as("reader-of-others", [{ Effect: "Allow", Action: "s3:GetObject", Resource: `arn:aws:s3:::${Bucket}/other/*` }]);
    expect((await fetch(await sign({}, s3))).status).toBe(403);
  });
});

describe("Object Lock", () => {
  const lockedBucket = async (name: string, mode: "GOVERNANCE" | "COMPLIANCE") => {
    await it.aws.s3.ensureBucket({ name, versioned: true, objectLock: { days: 1, mode } });
    return { Bucket: name, Key: "report" };
  };
  const text = async (place: { Bucket: string; Key: string; VersionId?: string }) =>
    (await it.s3.send(new GetObjectCommand(place))).Body!.transformToString();

  test("keeps each version after an overwrite or a delete and reports its retention", async () => {
    const place = await lockedBucket("locked", "COMPLIANCE");
    const { VersionId } = await it.s3.send(new PutObjectCommand({ ...place, Body: "one" }));
    await it.s3.send(new PutObjectCommand({ ...place, Body: "two" }));
    expect([await text(place), await text({ ...place, VersionId })]).toEqual(["two", "one"]);
    const { DeleteMarker, VersionId: marker } = await it.s3.send(new DeleteObjectCommand(place));
    expect(DeleteMarker).toBe(true);
    await expect(text(place)).rejects.toMatchObject({ name: "NoSuchKey" });
    expect(await text({ ...place, VersionId })).toBe("one");
    await it.s3.send(new DeleteObjectCommand({ ...place, VersionId: marker }));
    expect(await text(place)).toBe("two");
    const { ObjectLockMode, ObjectLockRetainUntilDate } = await it.s3.send(new HeadObjectCommand({ ...place, VersionId }));
    expect(ObjectLockMode).toBe("COMPLIANCE");
    expect(ObjectLockRetainUntilDate!.getTime()).toBeGreaterThan(Date.now() + 23 * 3_600_000);
  });

  test("in compliance mode refuses an early deletion, even to the operator", async () => {
    const place = await lockedBucket("locked-hard", "COMPLIANCE");
    const { VersionId } = await it.s3.send(new PutObjectCommand({ ...place, Body: "one" }));
    for (const BypassGovernanceRetention of [undefined, true])
      await expect(it.s3.send(new DeleteObjectCommand({ ...place, VersionId, BypassGovernanceRetention }))).rejects.toMatchObject({
        name: "AccessDenied",
      });
    expect(await text(place)).toBe("one");
  });

  test("in governance mode allows an early deletion with the bypass header and permission", async () => {
    const place = await lockedBucket("locked-soft", "GOVERNANCE");
    const { VersionId } = await it.s3.send(new PutObjectCommand({ ...place, Body: "one" }));
    const mayDelete = { Effect: "Allow" as const, Action: "s3:DeleteObject*", Resource: "*" };
    const remove = (client: Endpoint["s3"], BypassGovernanceRetention?: true) =>
      client.send(new DeleteObjectCommand({ ...place, VersionId, BypassGovernanceRetention }));
    await expect(remove(it.s3)).rejects.toMatchObject({ name: "AccessDenied" });
    await expect(remove(it.as("deleter", [mayDelete]).s3, true)).rejects.toMatchObject({ name: "AccessDenied" });
    await remove(it.s3, true);
    await expect(text({ ...place, VersionId })).rejects.toMatchObject({ name: "NoSuchVersion" });
  });

  test("holds after a restart, and ends with its time", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "s3-lock-test-"));
    const bucket = { name: "archive", versioned: true, objectLock: { days: 0.5 / 86_400, mode: "COMPLIANCE" as const } };
    const place = { Bucket: bucket.name, Key: "a" };
    const first = await startEndpoint({ dataDir });
    await first.aws.s3.ensureBucket({ ...bucket, objectLock: { days: 1, mode: "COMPLIANCE" } });
    const { VersionId: long } = await first.s3.send(new PutObjectCommand({ ...place, Body: "long" }));
    await first.close();
    const second = await startEndpoint({ dataDir });
    await second.aws.s3.ensureBucket(bucket);
    const { VersionId: short } = await second.s3.send(new PutObjectCommand({ ...place, Body: "short" }));
    await expect(second.s3.send(new DeleteObjectCommand({ ...place, VersionId: long }))).rejects.toMatchObject({ name: "AccessDenied" });
    await expect
      .poll(() =>
        second.s3.send(new DeleteObjectCommand({ ...place, VersionId: short })).then(
          () => "deleted",
          () => "kept",
        ),
      )
      .toBe("deleted");
    await second.close();
    rmSync(dataDir, { recursive: true });
  });
});

test("the answer names a bucket's own KMS key", async () => {
  const keyId = randomUUID();
  const arn = `arn:aws:kms:${region}:${account}:key/${keyId}`;
  await it.aws.kms.ensureKey({ keyId, arn, spec: "SYMMETRIC_DEFAULT" });
  await it.aws.s3.ensureBucket({ name: "encrypted", kmsKeyArn: arn });
  const answer = await it.s3.send(new PutObjectCommand({ Bucket: "encrypted", Key: "a", Body: "x" }));
  expect(answer).toMatchObject({ ServerSideEncryption: "aws:kms", SSEKMSKeyId: arn });
});

test("objects survive a restart; the operator reads and writes them without IAM", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "s3-test-"));
  const first = await startEndpoint({ dataDir });
  await first.aws.s3.ensureBucket({ name: Bucket });
  await first.aws.s3.put(Bucket, "site/index.html", Buffer.from("<p>"), { "content-type": "text/html" });
  await first.close();
  const second = await startEndpoint({ dataDir });
  await second.aws.s3.ensureBucket({ name: Bucket });
  const found = await second.s3.send(new GetObjectCommand({ Bucket, Key: "site/index.html" }));
  expect([await found.Body!.transformToString(), found.ContentType]).toEqual(["<p>", "text/html"]);
  expect((await second.aws.s3.get(Bucket, "site/index.html"))?.body.toString()).toBe("<p>");
  expect(await second.aws.s3.get(Bucket, "absent")).toBeUndefined();
  await second.close();
  rmSync(dataDir, { recursive: true });
});

test("A06: a bucket's policy refuses a write without If-None-Match and a deletion, even to a caller who may do everything", async () => {
  const arn = "arn:aws:s3:::locked/archive/*";
  const deny = { Effect: "Deny" as const, Principal: { AWS: "*" }, Resource: arn };
  await it.aws.s3.ensureBucket({
    name: "locked",
    versioned: true,
    policy: [
      {
        ...deny,
        Action: "s3:PutObject",
        Condition: { Null: { "s3:if-none-match": "true" }, Bool: { "s3:ObjectCreationOperation": "true" } },
      },
      { ...deny, Action: ["s3:DeleteObject", "s3:DeleteObjectVersion"] },
    ],
  });
  const place = { Bucket: "locked", Key: "archive/1" };
  const { VersionId } = await it.s3.send(new PutObjectCommand({ ...place, Body: "first", IfNoneMatch: "*" }));
  const outcome = (sent: Promise<unknown>) =>
    sent.then(
      () => "done",
      (error: Error) => error.name,
    );
  expect(await outcome(it.s3.send(new PutObjectCommand({ ...place, Body: "second" })))).toBe("AccessDenied");
  expect(await outcome(it.s3.send(new PutObjectCommand({ ...place, Body: "second", IfNoneMatch: "*" })))).toBe("PreconditionFailed");
  expect(await outcome(it.s3.send(new DeleteObjectCommand(place)))).toBe("AccessDenied");
  expect(await outcome(it.s3.send(new DeleteObjectCommand({ ...place, VersionId })))).toBe("AccessDenied");
  expect((await get("archive/1", { Bucket: "locked" })).toString()).toBe("first");

  const upload = { Bucket: "locked", Key: "archive/parts" };
  const { UploadId } = await it.s3.send(new CreateMultipartUploadCommand(upload));
  const { ETag } = await it.s3.send(new UploadPartCommand({ ...upload, UploadId, PartNumber: 1, Body: "part" }));
  const finish = (IfNoneMatch?: string) =>
    it.s3.send(
      new CompleteMultipartUploadCommand({ ...upload, UploadId, IfNoneMatch, MultipartUpload: { Parts: [{ ETag, PartNumber: 1 }] } }),
    );
  expect(await outcome(finish())).toBe("AccessDenied");
  expect(await outcome(finish("*"))).toBe("done");
  expect(await outcome(it.s3.send(new PutObjectCommand({ Bucket: "locked", Key: "elsewhere", Body: "free" })))).toBe("done");
});
