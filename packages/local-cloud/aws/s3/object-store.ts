import { createHash, randomUUID } from "node:crypto";
import { createReadStream, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { writeAtomically } from "../json-file.ts";
import type { BucketDefinition, LifecycleRule } from "../types.ts";

export type Blob = { file: string; size: number; md5: string; crc32: string };
export type ObjectVersion = Blob & {
  versionId: string;
  etag: string;
  headers: Record<string, string>;
  tags?: Tags;
  kmsKeyArn?: string;
  lastModified: number;
  retainUntil?: number;
  deleteMarker?: true;
};
/** The newest version is the last. A bucket without versioning keeps one. */
type ObjectRecord = { key: string; versions: ObjectVersion[] };

export type Upload = { key: string; headers: Record<string, string>; kmsKeyArn?: string; parts: Map<number, Blob> };
export type Bucket = BucketDefinition & {
  folder: string;
  clock: () => number;
  objects: Map<string, ObjectRecord>;
  uploads: Map<string, Upload>;
};

/** Folder layout: `records/<hash of key>.json` refer to bytes in `blobs/`. */
export function openBucket(root: string, definition: BucketDefinition, clock: () => number): Bucket {
  const folder = join(root, definition.name);
  mkdirSync(join(folder, "records"), { recursive: true, mode: 0o700 });
  mkdirSync(join(folder, "blobs"), { recursive: true, mode: 0o700 });
  const objects = new Map<string, ObjectRecord>();
  for (const file of readdirSync(join(folder, "records")).filter((name) => name.endsWith(".json"))) {
    const record = JSON.parse(readFileSync(join(folder, "records", file), "utf8")) as ObjectRecord;
    objects.set(record.key, record);
  }
  const bucket = { ...definition, folder, clock, objects, uploads: new Map() };
  removeOrphans(bucket);
  return bucket;
}

/** Removes bytes without a record, left by a request that was killed. */
function removeOrphans(bucket: Bucket): void {
  const named = new Set([...bucket.objects.values()].flatMap(({ versions }) => versions.map(({ file }) => file)));
  for (const file of readdirSync(join(bucket.folder, "blobs"))) {
    if (!named.has(file)) rmSync(join(bucket.folder, "blobs", file));
  }
}

export async function writeBlob(bucket: Bucket, body: AsyncIterable<Buffer>): Promise<Blob> {
  const file = randomUUID();
  const path = join(bucket.folder, "blobs", file);
  const handle = await open(path, "wx", 0o600);
  const hash = createHash("md5");
  let size = 0;
  let checksum = 0;
  try {
    for await (const piece of body) {
      await handle.writeFile(piece);
      hash.update(piece);
      checksum = crc32(piece, checksum);
      size += piece.length;
    }
    await handle.sync();
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  return { file, size, md5: hash.digest("hex"), crc32: crc32Text(checksum) };
}

function crc32Text(checksum: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(checksum);
  return bytes.toString("base64");
}

export function readBlob(bucket: Bucket, blob: Blob) {
  return createReadStream(join(bucket.folder, "blobs", blob.file));
}

export function removeBlob(bucket: Bucket, blob: Blob): void {
  if (blob.file) rmSync(join(bucket.folder, "blobs", blob.file), { force: true });
}

/** Undefined for a deleted object, or one that has expired and was not swept yet. */
export function current(bucket: Bucket, key: string): ObjectVersion | undefined {
  const newest = bucket.objects.get(key)?.versions.at(-1);
  return !newest || newest.deleteMarker || isExpired(bucket, key, newest, bucket.clock()) ? undefined : newest;
}

const DAY_MS = 86_400_000;
/** Days are added and the result is rounded up to midnight UTC. Source: "Lifecycle configuration elements" in the S3 User Guide. */
export const midnightAfter = (ms: number, days: number): number => Math.ceil((ms + days * DAY_MS) / DAY_MS) * DAY_MS;

export const rulesFor = ({ lifecycle = [] }: Bucket, key: string, { tags = {} }: ObjectVersion): LifecycleRule[] =>
  lifecycle.filter(
    ({ prefix = "", tags: wanted = {} }) => key.startsWith(prefix) && Object.entries(wanted).every(([name, value]) => tags[name] === value),
  );

export const isExpired = (bucket: Bucket, key: string, version: ObjectVersion, nowMs: number): boolean =>
  !version.deleteMarker &&
  rulesFor(bucket, key, version).some(
    ({ expirationDays }) => expirationDays !== undefined && midnightAfter(version.lastModified, expirationDays) <= nowMs,
  );

/** Replaces the record atomically, so that a crash leaves the old object or the new one. */
export function addVersion(bucket: Bucket, key: string, version: ObjectVersion): void {
  const before = bucket.objects.get(key)?.versions ?? [];
  const versions = bucket.versioned ? [...before, version] : [version];
  saveRecord(bucket, { key, versions });
  for (const old of before.filter((each) => !versions.includes(each))) removeBlob(bucket, old);
}

export function retag(bucket: Bucket, key: string, version: ObjectVersion, tags: Tags): void {
  const { versions = [] } = bucket.objects.get(key) ?? {};
  saveRecord(bucket, { key, versions: versions.map((each) => (each === version ? { ...each, tags } : each)) });
}

export function removeVersion(bucket: Bucket, key: string, version: ObjectVersion): void {
  const versions = bucket.objects.get(key)!.versions.filter((each) => each !== version);
  saveRecord(bucket, { key, versions });
  removeBlob(bucket, version);
}

function saveRecord(bucket: Bucket, record: ObjectRecord): void {
  const path = join(bucket.folder, "records", `${createHash("sha256").update(record.key).digest("hex")}.json`);
  if (record.versions.length === 0) {
    rmSync(path, { force: true });
    bucket.objects.delete(record.key);
    return;
  }
  writeAtomically(path, JSON.stringify(record));
  bucket.objects.set(record.key, record);
}

export type Tags = Record<string, string>;
