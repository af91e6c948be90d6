import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { allDone, envReader, notFound } from "@vitaline/core";
import * as z from "zod/mini";
import { asUnavailable } from "./kms.ts";
import { seal, unseal, type Purpose } from "./vault.ts";

const environment = envReader(z.object({ FILES_BUCKET: z.string() }));

/** Which lifecycle rule of the bucket an object falls under. */
export const retentionTag = "retention";

let client: S3Client | undefined;
export const s3 = (): S3Client =>
  (client ??= new S3Client({ maxAttempts: 3, requestHandler: { connectionTimeout: 1000, requestTimeout: 8000 } }));

/** Where a sealed file lies, how long its stored form is, and the SHA-256 of that form in hex. */
export type StoredFile = { key: string; bytes: number; sha256: string };

/**
 * Large patient data: gzipped, sealed under the vault key, then put; an item of the table ends at 400 KB.
 * A key is written once. Where a file lies already, that one stays and is described: a repeated request finds its own.
 * With `keptDays` the bucket deletes it after so many days: infra/stacks/data.ts has a rule for each number that there may be.
 * AppError `unavailable` also where the bucket has not answered within `withinMs`; it may have the file all the same.
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
    await s3().send(
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
    const { ContentLength = 0, Metadata } = await s3()
      .send(new HeadObjectCommand({ Bucket, Key: key }), limit)
      .catch((cause: unknown) => {
        throw asUnavailable(cause);
      });
    return { key, bytes: ContentLength, sha256: Metadata?.["sha256"] ?? "" };
  }
}

/** The text of a sealed file; AppError `not_found` where it is gone. Throws when what lies there is not what was put. */
export async function getSealedFile(
  purpose: Purpose,
  tenantId: string,
  { key, sha256 }: Pick<StoredFile, "key" | "sha256">,
): Promise<string> {
  const { Body } = await s3()
    .send(new GetObjectCommand({ Bucket: environment().FILES_BUCKET, Key: key }))
    .catch((error: unknown) => {
      throw error instanceof Error && error.name === "NoSuchKey" ? notFound() : asUnavailable(error);
    });
  const body = (await Body?.transformToString()) ?? "";
  if (createHash("sha256").update(body).digest("hex") !== sha256) throw new Error("A stored file is not what was written");
  return gunzipSync(Buffer.from(await unseal(purpose, tenantId, body), "base64")).toString("utf8");
}

const deletedAtOnce = 20;

/**
 * Deletes every file whose key begins with `prefix`, and tells how many there were. The bucket keeps former versions for as long as
 * its lifecycle says. AppError `unavailable`: what was deleted by then is gone, and the same call goes on with the rest.
 */
export async function deleteFiles(prefix: string): Promise<number> {
  if (!prefix.endsWith("/")) throw new Error("A prefix ends with a slash, so that it names one owner's files alone");
  const Bucket = environment().FILES_BUCKET;
  let count = 0;
  try {
    for await (const { Contents = [] } of paginateListObjectsV2({ client: s3() }, { Bucket, Prefix: prefix })) {
      for (let from = 0; from < Contents.length; from += deletedAtOnce)
        await allDone(Contents.slice(from, from + deletedAtOnce).map(({ Key }) => s3().send(new DeleteObjectCommand({ Bucket, Key }))));
      count += Contents.length;
    }
  } catch (error) {
    throw asUnavailable(error);
  }
  return count;
}

/** Deletes one file; nothing happens where there is none. AppError `unavailable`. */
export async function deleteFile(key: string): Promise<void> {
  await s3()
    .send(new DeleteObjectCommand({ Bucket: environment().FILES_BUCKET, Key: key }))
    .catch((error: unknown) => {
      throw asUnavailable(error);
    });
}
