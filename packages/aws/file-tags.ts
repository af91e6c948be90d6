import { PutObjectTaggingCommand } from "@aws-sdk/client-s3";
import { envReader } from "@vitaline/core";
import * as z from "zod/mini";
import { retentionTag, s3 } from "./files.ts";
import { asUnavailable } from "./kms.ts";

const environment = envReader(z.object({ FILES_BUCKET: z.string() }));

/** Has the bucket keep a file for so many days from the day on which it was put; false where there is none any more. AppError `unavailable`. */
export async function keepFileFor(key: string, days: number): Promise<boolean> {
  const Tagging = { TagSet: [{ Key: retentionTag, Value: String(days) }] };
  try {
    await s3().send(new PutObjectTaggingCommand({ Bucket: environment().FILES_BUCKET, Key: key, Tagging }));
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === "NoSuchKey") return false;
    throw asUnavailable(error);
  }
}
