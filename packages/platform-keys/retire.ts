import type { PlatformKey } from "@vitaline/contract";
import { AppError, notFound } from "@vitaline/core";
import { keys, update, type KeyUseRow, type PlatformKeyRow } from "@vitaline/store";
import type { EhrRegistryContext } from "@vitaline/store/scoped.ts";
import { asPlatformKey, readPlatformKeys } from "./read.ts";

const refusals: Record<"active" | "pending", string> = {
  active: "This key signs now. Rotate the keys first: it can be retired once the new one signs.",
  pending: "This key will sign soon. Only a previous key can be retired.",
};

/**
 * Removes a previous key, named by either of its kids, from the key set; a retired one stays so. Its signatures are refused as soon
 * as peers fetch the key set. AppError `not_found`; `not_doable` for an active or pending key.
 */
export async function retirePlatformKey(ctx: EhrRegistryContext, kid: string): Promise<PlatformKey> {
  const { all } = await readPlatformKeys(ctx);
  const found = all.find(({ row }) => row.jwks.some((jwk) => jwk.kid === kid));
  if (!found) throw notFound();
  const { row, state } = found;
  if (state === "active" || state === "pending") throw new AppError("not_doable", refusals[state]);
  if (state === "previous")
    await ctx.platform.commit(
      [update<PlatformKeyRow>(keys.platformKey(row.id), { set: { retiredAt: ctx.clock().toISOString() } }, { exists: true })],
      {
        category: "configuration_change",
        action: "platformKey.retire",
        resourceType: "PlatformKey",
        resourceId: row.id,
      },
    );
  return asPlatformKey(row, "retired", await ctx.platform.get<KeyUseRow>(keys.platformKeyUse(row.id)));
}
