import {
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  PutObjectTaggingCommand,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEndpoint, type Endpoint } from "../endpoint.fixture.ts";
import type { Statement } from "../types.ts";

const Bucket = "kept";
const dayMs = 86_400_000;
let nowMs = Date.now();
let it: Endpoint;

beforeAll(async () => {
  it = await startEndpoint({ clock: () => nowMs });
});
afterAll(() => it.close());

const rules = [
  { noncurrentDays: 35 },
  { prefix: "calls/", tags: { retention: "30" }, expirationDays: 30, noncurrentDays: 1 },
  { prefix: "calls/", tags: { retention: "90" }, expirationDays: 90, noncurrentDays: 1 },
  { prefix: "exports/", expirationDays: 7, noncurrentDays: 1 },
];
async function bucket(name: string, versioned = true) {
  await it.aws.s3.ensureBucket({ name, versioned, lifecycle: rules });
  nowMs = Date.now();
  return {
    put: (Key: string, Tagging?: string) => it.s3.send(new PutObjectCommand({ Bucket: name, Key, Body: Key, Tagging })),
    retag: (Key: string, retention: string) =>
      it.s3.send(new PutObjectTaggingCommand({ Bucket: name, Key, Tagging: { TagSet: [{ Key: "retention", Value: retention }] } })),
    there: async () => (await it.s3.send(new ListObjectsV2Command({ Bucket: name }))).Contents?.map(({ Key }) => Key) ?? [],
    get: (Key: string, VersionId?: string) => it.s3.send(new GetObjectCommand({ Bucket: name, Key, VersionId })),
    after: (days: number) => void (nowMs = Date.now() + days * dayMs),
  };
}

describe("tags", () => {
  test("are set with an object, returned with it, and replaced as a whole", async () => {
    const place = { Bucket, Key: "a" };
    await it.aws.s3.ensureBucket({ name: Bucket });
    await it.s3.send(new PutObjectCommand({ ...place, Body: "x", Tagging: "retention=30&kind=a%20b" }));
    const tagsOf = async () => (await it.s3.send(new GetObjectTaggingCommand(place))).TagSet;
    expect(await tagsOf()).toEqual([
      { Key: "retention", Value: "30" },
      { Key: "kind", Value: "a b" },
    ]);
    await it.s3.send(new PutObjectTaggingCommand({ ...place, Tagging: { TagSet: [{ Key: "retention", Value: "90" }] } }));
    expect(await tagsOf()).toEqual([{ Key: "retention", Value: "90" }]);
    expect((await it.s3.send(new HeadObjectCommand(place))).TagCount).toBe(1);
    expect(await (await it.s3.send(new GetObjectCommand(place))).Body!.transformToString()).toBe("x");
  });

  test("are refused when malformed, too many, or for a missing object", async () => {
    await it.aws.s3.ensureBucket({ name: Bucket });
    const put = (Tagging: string) => it.s3.send(new PutObjectCommand({ Bucket, Key: "b", Body: "x", Tagging }));
    await expect(put("a=1&a=2")).rejects.toMatchObject({ name: "InvalidTag" });
    await expect(put(Array.from({ length: 11 }, (_, at) => `t${at}=1`).join("&"))).rejects.toMatchObject({ name: "BadRequest" });
    const tagging = { Bucket, Key: "absent", Tagging: { TagSet: [] } };
    await expect(it.s3.send(new PutObjectTaggingCommand(tagging))).rejects.toMatchObject({ name: "NoSuchKey" });
    await expect(it.s3.send(new CreateMultipartUploadCommand({ Bucket, Key: "c", Tagging: "a=1" }))).rejects.toMatchObject({
      name: "NotImplemented",
    });
  });

  test("need their own permission, which may be limited to certain tags", async () => {
    await it.aws.s3.ensureBucket({ name: Bucket });
    const may = (...more: Statement[]) => it.as("tagger", [{ Effect: "Allow", Action: "s3:PutObject", Resource: "*" }, ...more]).s3;
    const put = (s3: Endpoint["s3"], Key: string, Tagging?: string) =>
      s3.send(new PutObjectCommand({ Bucket, Key, Body: "x", Tagging })).then(
        () => "put",
        (error: Error) => error.name,
      );
    expect(await put(may(), "d")).toBe("put");
    expect(await put(may(), "e", "retention=30")).toBe("AccessDenied");
    const thirty: Statement = {
      Effect: "Allow",
      Action: "s3:PutObjectTagging",
      Resource: "*",
      Condition: { StringEquals: { "s3:RequestObjectTag/retention": ["30"] } },
    };
    expect(await put(may(thirty), "e", "retention=30")).toBe("put");
    expect(await put(may(thirty), "f", "retention=31")).toBe("AccessDenied");
    const retag = (value: string) =>
      may(thirty).send(new PutObjectTaggingCommand({ Bucket, Key: "e", Tagging: { TagSet: [{ Key: "retention", Value: value }] } }));
    await retag("30");
    await expect(retag("3650")).rejects.toMatchObject({ name: "AccessDenied" });
  });
});

describe("C06: lifecycle rules", () => {
  test("expire an object by prefix and tag at midnight after its days, swept or not", async () => {
    const { put, there, get, after } = await bucket("by-tag");
    await put("calls/short", "retention=30");
    await put("calls/long", "retention=90");
    await put("calls/untagged");
    await put("elsewhere", "retention=30");
    await put("exports/report");
    expect(await there()).toEqual(["calls/long", "calls/short", "calls/untagged", "elsewhere", "exports/report"]);
    after(8);
    expect(await there()).toEqual(["calls/long", "calls/short", "calls/untagged", "elsewhere"]);
    after(29.9);
    expect(await there()).toContain("calls/short");
    after(31);
    await expect(get("calls/short")).rejects.toMatchObject({ name: "NoSuchKey" });
    expect(await there()).toEqual(["calls/long", "calls/untagged", "elsewhere"]);
    after(91);
    expect(await there()).toEqual(["calls/untagged", "elsewhere"]);
  });

  test("follow an object's present tags", async () => {
    const { put, retag, there, after } = await bucket("retagged");
    await put("calls/a", "retention=30");
    await put("calls/b", "retention=90");
    await retag("calls/a", "90");
    await retag("calls/b", "30");
    after(31);
    expect(await there()).toEqual(["calls/a"]);
  });

  test("first add a delete marker, and remove the noncurrent version later", async () => {
    const { put, get, after } = await bucket("versions");
    const { VersionId } = await put("calls/a", "retention=30");
    after(31);
    expect(it.aws.s3.sweepExpired(nowMs)).toBeGreaterThan(0);
    await expect(get("calls/a")).rejects.toMatchObject({ name: "NoSuchKey" });
    expect(await (await get("calls/a", VersionId)).Body!.transformToString()).toBe("calls/a");
    after(33);
    it.aws.s3.sweepExpired(nowMs);
    await expect(get("calls/a", VersionId)).rejects.toMatchObject({ name: "NoSuchVersion" });
    expect(it.aws.s3.sweepExpired(nowMs)).toBe(0);
  });

  test("remove noncurrent versions after their days, except locked ones", async () => {
    const { put, get, after } = await bucket("replaced");
    const { VersionId: first } = await put("a");
    const { VersionId: second } = await put("a");
    await it.s3.send(new DeleteObjectCommand({ Bucket: "replaced", Key: "a" }));
    await it.aws.s3.ensureBucket({ name: "held", versioned: true, lifecycle: rules, objectLock: { days: 400, mode: "COMPLIANCE" } });
    const held = { Bucket: "held", Key: "a" };
    const { VersionId } = await it.s3.send(new PutObjectCommand({ ...held, Body: "x" }));
    await it.s3.send(new PutObjectCommand({ ...held, Body: "y" }));
    after(34);
    it.aws.s3.sweepExpired(nowMs);
    for (const version of [first, second]) await get("a", version);
    after(37);
    it.aws.s3.sweepExpired(nowMs);
    for (const version of [first, second]) await expect(get("a", version)).rejects.toMatchObject({ name: "NoSuchVersion" });
    await it.s3.send(new GetObjectCommand({ ...held, VersionId }));
  });

  test("delete at once in an unversioned bucket, and free the name", async () => {
    const { put, there, after } = await bucket("plain", false);
    await put("calls/a", "retention=30");
    after(31);
    it.aws.s3.sweepExpired(nowMs);
    expect(await there()).toEqual([]);
    nowMs = Date.now();
    await it.s3.send(new PutObjectCommand({ Bucket: "plain", Key: "calls/a", Body: "again", IfNoneMatch: "*" }));
    expect(await there()).toEqual(["calls/a"]);
  });
});
