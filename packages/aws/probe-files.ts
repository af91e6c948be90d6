import { HeadBucketCommand } from "@aws-sdk/client-s3";
import { envReader } from "@vitaline/core";
import * as z from "zod/mini";
import { s3 } from "./files.ts";
import { asUnavailable } from "./kms.ts";

const environment = envReader(z.object({ FILES_BUCKET: z.string() }));

/** Whether the files bucket answers. AppError `unavailable` when it does not. */
export async function probeFiles(): Promise<void> {
  await s3()
    .send(new HeadBucketCommand({ Bucket: environment().FILES_BUCKET }))
    .catch((error: unknown) => {
      throw asUnavailable(error);
    });
}
