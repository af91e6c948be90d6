import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  PutObjectTaggingCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { awaitAllThenThrow, envReader, notFound } from "@vitaline/core";
import { clientsPerTenant, hasTenantRole } from "@vitaline/tenant-access";
import * as z from "zod/mini";
import { asUnavailable } from "../unavailable.ts";
import { type Purpose, seal, unseal } from "../secrets/vault.ts";

const environment = envReader(z.object({ FILES_BUCKET: z.string() }));

/** The object tag that the bucket's lifecycle rules match. */
const retentionTag = "retention";

const clients = clientsPerTenant<S3Client>(
  (session) => new S3Client({ maxAttempts: 3, requestHandler: { connectionTimeout: 1000, requestTimeout: 8000 }, ...session }),
);
export const s3 = (tenantId?: string): S3Client => clients(tenantId);

/** A tenant's session may not list the bucket, so S3 answers 403 for a missing object. Source: "GetObject" in the S3 API reference. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error && (error.name === "NoSuchKey" || (hasTenantRole() && error.name === "AccessDenied"));

/** `bytes` and `sha256` (hex) are of the sealed object. */
export type StoredFile = { key: string; bytes: number; sha256: string };

/**
 * Stores patient data that may exceed DynamoDB's item limit of 400 KB: gzipped, sealed, then put. An existing object is kept and
 * its description returned, so a retry is idempotent. `keptDays` must be a number with a lifecycle rule in infra/stacks/data.ts.
 * AppError `unavailable`, also after `withinMs`, when the object may have been stored.
 */
export async function putSealedFile(
  purpose: Purpose,
  tenantId: string,
  key: string,
  text: string,
  { withinMs, keptDays }: { withinMs?: number; keptDays?: number } = {},
): Promise<StoredFile> {
  const body = await seal(purpose, tenantId, gzipSync(text).toString("base64"));
  const limit = withinMs === undefined ? {} : { abortSignal: AbortSignal.timeout(Math.max(0, withinMs)) };
  const sha256 = createHash("sha256").update(body).digest("hex");
  const Bucket = environment().FILES_BUCKET;
  try {
    await s3(tenantId).send(
      new PutObjectCommand({
        Bucket,
        Key: key,
        Body: body,
        ContentType: "application/octet-stream",
        Metadata: { sha256 },
        IfNoneMatch: "*",
        Tagging: keptDays === undefined ? undefined : `${retentionTag}=${keptDays}`,
      }),
      limit,
    );
    return { key, bytes: Buffer.byteLength(body), sha256 };
  } catch (error) {
    if (!(error instanceof Error && error.name === "PreconditionFailed")) throw asUnavailable(error);
    const { ContentLength = 0, Metadata } = await s3(tenantId)
      .send(new HeadObjectCommand({ Bucket, Key: key }), limit)
      .catch((cause: unknown) => {
        throw asUnavailable(cause);
      });
    return { key, bytes: ContentLength, sha256: Metadata?.["sha256"] ?? "" };
  }
}

/** The text of a sealed file; AppError `not_found`. Throws when its hash differs. */
export async function getSealedFile(
  purpose: Purpose,
  tenantId: string,
  { key, sha256 }: Pick<StoredFile, "key" | "sha256">,
): Promise<string> {
  const { Body } = await s3(tenantId)
    .send(new GetObjectCommand({ Bucket: environment().FILES_BUCKET, Key: key }))
    .catch((error: unknown) => {
      throw isMissing(error) ? notFound() : asUnavailable(error);
    });
  const body = (await Body?.transformToString()) ?? "";
  if (createHash("sha256").update(body).digest("hex") !== sha256) throw new Error("A stored file is not what was written");
  return gunzipSync(Buffer.from(await unseal(purpose, tenantId, body), "base64")).toString("utf8");
}

const deleteConcurrency = 20;

/**
 * Deletes every file under `prefix`; returns the count. Old versions stay until the bucket's lifecycle deletes them. After
 * AppError `unavailable` some may be deleted; repeat the call.
 */
export async function deleteFiles(prefix: string): Promise<number> {
  if (!prefix.endsWith("/")) throw new Error("A prefix must end with a slash, so that it matches one owner's files only");
  const Bucket = environment().FILES_BUCKET;
  let count = 0;
  try {
    for await (const { Contents = [] } of paginateListObjectsV2({ client: s3() }, { Bucket, Prefix: prefix })) {
      for (let from = 0; from < Contents.length; from += deleteConcurrency)
        await awaitAllThenThrow(
          Contents.slice(from, from + deleteConcurrency).map(({ Key }) => s3().send(new DeleteObjectCommand({ Bucket, Key }))),
        );
      count += Contents.length;
    }
  } catch (error) {
    throw asUnavailable(error);
  }
  return count;
}

/** Deletes one file; idempotent. AppError `unavailable`. */
export async function deleteFile(key: string): Promise<void> {
  await s3()
    .send(new DeleteObjectCommand({ Bucket: environment().FILES_BUCKET, Key: key }))
    .catch((error: unknown) => {
      throw asUnavailable(error);
    });
}

/** Sets a file's retention in days from its creation; false when it no longer exists. AppError `unavailable`. */
export async function setFileRetention(key: string, days: number): Promise<boolean> {
  const Tagging = { TagSet: [{ Key: retentionTag, Value: String(days) }] };
  try {
    await s3().send(new PutObjectTaggingCommand({ Bucket: environment().FILES_BUCKET, Key: key, Tagging }));
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === "NoSuchKey") return false;
    throw asUnavailable(error);
  }
}

/** AppError `unavailable` when the files bucket does not respond. */
export async function probeFiles(): Promise<void> {
  await s3()
    .send(new HeadBucketCommand({ Bucket: environment().FILES_BUCKET }))
    .catch((error: unknown) => {
      throw asUnavailable(error);
    });
}
