import { notFound } from "@vitaline/core";
import { keys, type TenantContext, type VoiceAgentRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";

/** Where an assignment's row lies: with its office, or with those of the tenant as a whole. */
export const agentKey = (officeId: string | undefined, id: string) => keys.voiceAgent(officeId ?? "-", id);

/** Whose office this is. AppError `not_found`. */
export async function tenantOfOffice(ctx: PlatformContext, officeId: string): Promise<string> {
  const owner = await ctx.platform.get(keys.idOwner(officeId));
  if (owner?.kind !== "office") throw notFound();
  return owner.tenantId;
}

/** One assignment: of this office; without one, wherever in the tenant it is, as the list over all its offices shows them too. AppError `not_found`. */
export async function findAgent(ctx: TenantContext, id: string, officeId: string | undefined): Promise<VoiceAgentRow> {
  const place = officeId === undefined ? await ctx.store.get(keys.voiceAgentDirectory(id)) : { tenantId: ctx.tenantId, officeId };
  // The directory holds every tenant's entries.
  const row = place?.tenantId === ctx.tenantId ? await ctx.store.get(agentKey(place.officeId, id)) : undefined;
  if (!row) throw notFound();
  return row;
}
