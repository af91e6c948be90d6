import { Readable } from "node:stream";
import { GetObjectCommand } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { envReader, notFound } from "@vitaline/core";
import * as z from "zod/mini";
import { s3 } from "./sealed-files.ts";
import { asUnavailable } from "../unavailable.ts";

const environment = envReader(z.object({ FILES_BUCKET: z.string() }));

/** S3's minimum size of a part. */
const partBytes = 5 * 1024 * 1024;

/**
 * Uploads an export as a stream, with at most two parts in memory; returns its size in bytes. Replaces an existing file; aborts
 * when `content` throws.
 */
export async function writeExportFile(key: string, contentType: string, content: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0;
  const counted = async function* () {
    for await (const piece of content) {
      bytes += piece.length;
      yield piece;
    }
  };
  const upload = new Upload({
    client: s3(),
    params: {
      Bucket: environment().FILES_BUCKET,
      Key: key,
      ContentType: contentType,
      Body: Readable.from(counted(), { objectMode: false }),
    },
    partSize: partBytes,
    queueSize: 1,
  });
  await upload.done().catch((error: unknown) => {
    throw asUnavailable(error);
  });
  return bytes;
}

/** The text of a file that `writeExportFile` wrote. AppError `not_found` once it has expired. */
export async function readExportFile(key: string): Promise<string> {
  try {
    const { Body } = await s3().send(new GetObjectCommand({ Bucket: environment().FILES_BUCKET, Key: key }));
    return (await Body?.transformToString("utf8")) ?? "";
  } catch (error) {
    if (error instanceof Error && (error.name === "NoSuchKey" || error.name === "AccessDenied")) throw notFound();
    throw asUnavailable(error);
  }
}

/** A download link that needs no authentication, valid for `ttlSeconds`. */
export const exportLink = (key: string, fileName: string, ttlSeconds: number): Promise<string> =>
  getSignedUrl(
    s3(),
    new GetObjectCommand({
      Bucket: environment().FILES_BUCKET,
      Key: key,
      ResponseContentDisposition: `attachment; filename="${fileName}"`,
      ResponseCacheControl: "private, no-store",
    }),
    { expiresIn: ttlSeconds },
  );
