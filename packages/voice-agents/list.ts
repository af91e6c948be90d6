import type { ListedVoiceAgent, VoiceAgent } from "@vitaline/contract";
import { awaitAllThenThrow, notFound } from "@vitaline/core";
import { keys, type Page, type TenantContext, type VoiceAgentDirectoryRow, type VoiceAgentRow } from "@vitaline/store";
import type { DirectoryContext } from "@vitaline/store/scoped.ts";
import { withTenantNames } from "@vitaline/tenants";
import { asVoiceAgent } from "./assignment.ts";

type PageOf = { limit: number; cursor?: string };

/** Without `officeId`: the tenant's own first, then those of its offices. AppError `not_found` for an unknown tenant. */
export async function listVoiceAgents(ctx: TenantContext, officeId: string | undefined, page: PageOf): Promise<Page<VoiceAgent>> {
  const [tenant, { rows, next }] = await awaitAllThenThrow([
    ctx.store.get(keys.tenantConfig()),
    ctx.store.query<VoiceAgentRow>(keys.tenantPartitions.config(ctx.tenantId), {
      ...page,
      prefix: officeId === undefined ? "AGENT#" : `AGENT#${officeId}#`,
    }),
  ]);
  if (!tenant) throw notFound();
  return { rows: rows.map((row) => asVoiceAgent(ctx, row)), next };
}

/** Newest first. One Query and one batch read of tenant names. */
export async function listAllVoiceAgents(ctx: DirectoryContext, page: PageOf): Promise<Page<ListedVoiceAgent>> {
  const { rows, next } = await ctx.platform.query<VoiceAgentDirectoryRow>(keys.partitions.voice, {
    ...page,
    prefix: "AGENT#",
    descending: true,
  });
  return { rows: await withTenantNames(ctx, rows), next };
}

/** AppError `not_found`. */
export async function tenantOfOffice(ctx: DirectoryContext, officeId: string): Promise<string> {
  const owner = await ctx.platform.get(keys.refOwner(officeId));
  if (owner?.kind !== "office") throw notFound();
  return owner.tenantId;
}
