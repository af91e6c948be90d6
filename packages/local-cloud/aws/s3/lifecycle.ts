import type { LifecycleRule } from "../types.ts";
import { addVersion, isExpired, midnightAfter, removeVersion, rulesFor, type Bucket, type ObjectVersion } from "./object-store.ts";

/**
 * Does what the bucket's lifecycle rules say is due: an expired object gets a delete marker, or goes where there are no versions, and
 * versions that were replaced long enough ago go for good. S3 does so once a day; how many versions changed.
 */
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
