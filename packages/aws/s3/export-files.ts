import { Readable } from "node:stream";
import { GetObjectCommand } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { envReader } from "@vitaline/core";
import * as z from "zod/mini";
import { s3 } from "./sealed-files.ts";
import { asUnavailable } from "../unavailable.ts";

const environment = envReader(z.object({ FILES_BUCKET: z.string() }));

/** The least that S3 takes as a part that is not the last. */
const partBytes = 5 * 1024 * 1024;

/**
 * Writes an export as it comes, part by part, so that two parts at most are held at a time; its size in bytes. One that is
 * there is replaced, and what was begun is taken back when `content` throws.
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

/** An address that hands the file to whoever holds it, for so long and under that name. */
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
