import { gunzipSync, gzipSync } from "node:zlib";
import { GetObjectCommand, HeadObjectCommand, paginateListObjectsV2, PutObjectCommand } from "@aws-sdk/client-s3";
import { envReader, isRetryable } from "@vitaline/core";
import * as z from "zod/mini";
import { s3 } from "./sealed-files.ts";
import { asUnavailable } from "../unavailable.ts";

const environment = envReader(z.object({ ARCHIVE_BUCKET: z.string() }));
const named = (error: unknown, ...names: string[]): boolean => error instanceof Error && names.includes(error.name);
const refuse = (error: unknown): never => {
  throw asUnavailable(error);
};

/** Metadata of an object; ASCII. */
export type ArchiveMetadata = Record<string, string>;

/** Creates an object under the bucket's lock; false if it exists. */
export async function putArchive(key: string, lines: string, notes: ArchiveMetadata): Promise<boolean> {
  const Body = gzipSync(lines);
  try {
    await s3().send(
      new PutObjectCommand({
        Bucket: environment().ARCHIVE_BUCKET,
        Key: key,
        Body,
        ContentType: "application/gzip",
        Metadata: notes,
        IfNoneMatch: "*",
      }),
    );
    return true;
  } catch (error) {
    if (named(error, "PreconditionFailed")) return false;
    throw asUnavailable(error);
  }
}

export async function archiveMetadata(key: string): Promise<ArchiveMetadata> {
  const { Metadata } = await s3()
    .send(new HeadObjectCommand({ Bucket: environment().ARCHIVE_BUCKET, Key: key }))
    .catch(refuse);
  return Metadata ?? {};
}

/** The lines of an object; undefined if it does not exist, without `lines` if it is corrupt. */
export async function getArchive(key: string): Promise<{ lines?: string } | undefined> {
  const answer = await s3()
    .send(new GetObjectCommand({ Bucket: environment().ARCHIVE_BUCKET, Key: key }))
    .catch((error: unknown) => (named(error, "NoSuchKey", "NotFound") ? undefined : refuse(error)));
  if (!answer) return undefined;
  try {
    return { lines: gunzipSync((await answer.Body?.transformToByteArray()) ?? Buffer.alloc(0)).toString("utf8") };
  } catch (error) {
    // S3's checksum or gzip's own failed.
    if (isRetryable(error)) throw asUnavailable(error);
    return {};
  }
}

/** The direct subfolders of `folder`, which ends with a slash. */
export async function archiveFolders(folder: string): Promise<string[]> {
  const names: string[] = [];
  const pages = paginateListObjectsV2({ client: s3() }, { Bucket: environment().ARCHIVE_BUCKET, Prefix: folder, Delimiter: "/" });
  try {
    for await (const { CommonPrefixes = [] } of pages)
      names.push(...CommonPrefixes.map(({ Prefix = "" }) => Prefix.slice(folder.length, -1)));
  } catch (error) {
    throw asUnavailable(error);
  }
  return names;
}
