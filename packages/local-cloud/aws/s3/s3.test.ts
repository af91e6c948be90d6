import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
  type PutObjectCommandInput,
} from "@aws-sdk/client-s3";
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

test("a body that is not what its checksum says is refused and leaves nothing", async () => {
  await expect(put("damaged", "text", { ChecksumCRC32: "AAAAAA==" })).rejects.toMatchObject({ name: "BadDigest" });
  await expect(get("damaged")).rejects.toMatchObject({ name: "NoSuchKey" });
});

test("a put that must find nothing there does not overwrite", async () => {
  await put("once", "first", { IfNoneMatch: "*" });
  await expect(put("once", "second", { IfNoneMatch: "*" })).rejects.toMatchObject({ name: "PreconditionFailed" });
  expect((await get("once")).toString()).toBe("first");
});

test("what is deleted or never was is not found; deleting twice is no error", async () => {
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

test("a versioned bucket keeps what was overwritten, and under Object Lock nobody deletes it before its time", async () => {
  const locked = { name: "locked", versioned: true, objectLock: { days: 1 } };
  await it.aws.s3.ensureBucket(locked);
  const place = { Bucket: locked.name, Key: "report" };
  const { VersionId } = await it.s3.send(new PutObjectCommand({ ...place, Body: "one" }));
  await it.s3.send(new PutObjectCommand({ ...place, Body: "two" }));
  await it.s3.send(new DeleteObjectCommand(place));
  await expect(it.s3.send(new GetObjectCommand(place))).rejects.toMatchObject({ name: "NoSuchKey" });
  const { Body } = await it.s3.send(new GetObjectCommand({ ...place, VersionId }));
  expect(await Body!.transformToString()).toBe("one");
  await expect(it.s3.send(new DeleteObjectCommand({ ...place, VersionId }))).rejects.toMatchObject({ name: "AccessDenied" });
});

test("a bucket's own key stands in the answer", async () => {
  const keyId = randomUUID();
  const arn = `arn:aws:kms:${region}:${account}:key/${keyId}`;
  await it.aws.kms.ensureKey({ keyId, arn, spec: "SYMMETRIC_DEFAULT" });
  await it.aws.s3.ensureBucket({ name: "encrypted", kmsKeyArn: arn });
  const answer = await it.s3.send(new PutObjectCommand({ Bucket: "encrypted", Key: "a", Body: "x" }));
  expect(answer).toMatchObject({ ServerSideEncryption: "aws:kms", SSEKMSKeyId: arn });
});

test("objects survive a restart; the supervisor reads and writes them past IAM", async () => {
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
