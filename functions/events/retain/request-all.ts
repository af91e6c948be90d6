import { newId } from "@vitaline/core";
import { keys, pagesOf, retentionRequest, type TenantDirectoryRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";

/** Asks for every tenant whose periods were never applied: what was stored before there were any has no end yet. */
export async function requestForAll(ctx: PlatformContext): Promise<void> {
  for await (const rows of pagesOf<TenantDirectoryRow>(ctx.platform, partitions.tenantDirectory)) {
    // The offices of each lie between them
    for (const { id } of rows.filter((row) => "organizationType" in row)) {
      const store = ctx.platform.inTenant(id);
      if (await store.get(keys.retentionRun())) continue;
      const now = ctx.clock();
      const [run, reminder] = retentionRequest(id, newId(now.getTime()), now);
      // The reminder first: a request that nothing reminds of would never be applied.
      await store.note(reminder);
      await store.note({ ...run, when: { exists: false } });
    }
  }
}
