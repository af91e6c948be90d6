import type { IncomingMessage } from "node:http";
import { authorize, isAllowed, isRefusedBy, type Caller } from "../iam/authorize.ts";
import { AwsError } from "../http/respond.ts";
import { viaService, type KeyStore } from "../kms/index.ts";
import type { Bucket } from "../s3/object-store.ts";
import { bucketArn, S3_OPERATIONS } from "../s3/operations.ts";
import type { AccessRequest, Answer } from "../types.ts";

type Parts = { buckets: Map<string, Bucket>; keys: KeyStore };
type S3Request = { caller: Caller; operation: string; request: IncomingMessage; url: URL };

export function s3Location(url: URL): { bucket: string; key: string } {
  const [bucket = "", ...rest] = url.pathname.slice(1).split("/");
  return { bucket, key: decodeURIComponent(rest.join("/")) };
}

export async function serveS3({ buckets, keys }: Parts, { caller, operation, request, url }: S3Request): Promise<Answer> {
  const place = s3Location(url);
  const run = S3_OPERATIONS[operation];
  if (!run) throw new AwsError(501, "NotImplemented", "This operation is not supported here");
  const bucket = buckets.get(place.bucket);
  if (!bucket) throw new AwsError(404, "NoSuchBucket", "The specified bucket does not exist", { BucketName: place.bucket });
  const isRefused = (access: AccessRequest): boolean => isRefusedBy(bucket.policy ?? [], caller, access);
  return run({
    request,
    query: url.searchParams,
    bucket,
    key: place.key,
    authorize(access) {
      if (isRefused(access))
        throw new AwsError(403, "AccessDenied", `${access.action} is refused with an explicit deny in a resource-based policy`);
      authorize(caller, access, "AccessDenied", 403);
    },
    isAllowed: (access) => !isRefused(access) && isAllowed(caller, access),
    authorizeKey(keyArn, action) {
      if (!keyArn) return;
      const context = { "aws:s3:arn": `${bucketArn(bucket)}/${place.key}` };
      authorize(caller, viaService(keys, keyArn, { action, service: "s3", region: caller.region, context }), "AccessDenied", 403);
    },
  });
}
