import { gunzipSync } from "node:zlib";
import type { Platform } from "../../packages/local-cloud/platform.ts";

/** The audit rows that the archive has of a tenant, or of the platform, as text. */
export async function archivedText({ cloud: { aws, lockedBuckets } }: Platform, chain: string): Promise<string> {
  const texts: string[] = [];
  for (let number = 1; ; number++) {
    const batch = await aws.s3.get(lockedBuckets[0] ?? "", `archive/${chain}/${String(number).padStart(10, "0")}.ndjson.gz`);
    if (!batch) return texts.join("\n");
    texts.push(gunzipSync(batch.body).toString());
  }
}
