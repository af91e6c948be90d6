import type { ConditionContext, LifecycleRule } from "../types.ts";
import {
  addVersion,
  type Bucket,
  isExpired,
  midnightAfter,
  type ObjectVersion,
  removeVersion,
  rulesFor,
  type Tags,
} from "./object-store.ts";
import { AwsError } from "../http/respond.ts";

const MOST_TAGS = 10;

/** Parses `x-amz-tagging`, which is encoded as a query. Source: "PutObject" in the S3 API reference. */
export const tagsOfHeader = (header: string | string[] | undefined): Tags | undefined =>
  header === undefined ? undefined : checked([...new URLSearchParams(String(header))]);

/** At most 10 tags per object, keys of up to 128 and values of up to 256 characters. Source: "Object tagging" in the S3 User Guide. */
export function checked(pairs: [key: string, value: string][]): Tags {
  if (pairs.length > MOST_TAGS) throw new AwsError(400, "BadRequest", "Object tags cannot be greater than 10");
  const tags = Object.fromEntries(pairs);
  const isWrong = pairs.some(([key, value]) => key.length === 0 || key.length > 128 || value.length > 256);
  if (isWrong || Object.keys(tags).length < pairs.length)
    throw new AwsError(400, "InvalidTag", "The tag provided was not a valid tag, or appears more than once.");
  return tags;
}

/** Source: "Actions, resources, and condition keys for Amazon S3". */
export const tagContext = (asked: Tags | undefined, existing: Tags | undefined): ConditionContext => ({
  ...named("s3:RequestObjectTag", asked),
  ...named("s3:ExistingObjectTag", existing),
  "s3:RequestObjectTagKeys": asked && Object.keys(asked),
});

const named = (name: string, tags: Tags = {}): ConditionContext =>
  Object.fromEntries(Object.entries(tags).map(([key, value]) => [`${name}/${key}`, value]));

/** Applies the bucket's lifecycle rules. Returns the number of changed versions. */
export function sweepBucket(bucket: Bucket, nowMs: number): number {
  let count = 0;
  for (const { key, versions } of [...bucket.objects.values()]) {
    const newest = versions.at(-1);
    if (newest && isExpired(bucket, key, newest, nowMs)) {
      if (bucket.versioned) addVersion(bucket, key, markerAt(nowMs));
      else removeVersion(bucket, key, newest);
      count++;
    }
    count += removeReplaced(bucket, key, nowMs);
  }
  return count;
}

const removeReplaced = (bucket: Bucket, key: string, nowMs: number): number => {
  const { versions = [] } = bucket.objects.get(key) ?? {};
  const over = versions.filter((version, at) => {
    const replacedAt = versions[at + 1]?.lastModified;
    if (replacedAt === undefined || (version.retainUntil ?? 0) > nowMs) return false;
    const days = leastOf(rulesFor(bucket, key, version).map(({ noncurrentDays }) => noncurrentDays));
    return days !== undefined && midnightAfter(replacedAt, days) <= nowMs;
  });
  for (const version of over) removeVersion(bucket, key, version);
  return over.length;
};

const leastOf = (days: LifecycleRule["noncurrentDays"][]): number | undefined => {
  const known = days.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

const markerAt = (nowMs: number): ObjectVersion => ({
  file: "",
  size: 0,
  md5: "",
  crc32: "",
  etag: "",
  headers: {},
  versionId: crypto.randomUUID().replaceAll("-", ""),
  lastModified: nowMs,
  deleteMarker: true,
});
