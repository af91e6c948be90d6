import type { ChangedVoiceAgent, VoiceAgent } from "@vitaline/contract";
import { keys, nextVersion, onFreshRead, remove, type TenantContext, update, type VoiceAgentRow } from "@vitaline/store";
import { agentKey, asVoiceAgent, detailOf, findAgent } from "./assignment.ts";

/** An assignment by its id: of this office; without one, of the tenant or of any of its offices. */
export type Which = { id: string; officeId?: string };

const claimOf = ({ providerType, externalAgentId }: VoiceAgentRow) => keys.externalAgent(providerType, externalAgentId);

/** Switches an assignment on or off. AppError `not_found`; `stale_version` when `ifMatch` is not its version any more. */
export const updateVoiceAgent = (
  ctx: TenantContext,
  which: Which,
  { isActive }: ChangedVoiceAgent,
  ifMatch: number | undefined,
): Promise<VoiceAgent> =>
  onFreshRow(ctx, which, ifMatch, async (row) => {
    const { version, asRead } = nextVersion(row, ifMatch);
    const changed = { ...row, isActive, version };
    await ctx.store.commit(
      [
        update(agentKey(row.officeId, row.id), { set: { isActive, version } }, asRead),
        update(claimOf(row), { set: { isActive } }, { equals: { assignmentId: row.id } }),
        update(keys.voiceAgentDirectory(row.id), { set: { isActive } }, { exists: true }),
      ],
      {
        category: "configuration_change",
        action: "voiceAgent.update",
        resourceType: "VoiceAgent",
        resourceId: row.id,
        detail: detailOf(changed),
      },
    );
    return asVoiceAgent(ctx, changed);
  });

/** Ends an assignment; its agent is free to be assigned again. AppError `not_found`; `stale_version` as for a change. */
export const deleteVoiceAgent = (ctx: TenantContext, which: Which, ifMatch: number | undefined): Promise<void> =>
  onFreshRow(ctx, which, ifMatch, async (row) => {
    const { asRead } = nextVersion(row, ifMatch);
    await ctx.store.commit(
      [
        remove(agentKey(row.officeId, row.id), asRead),
        remove(claimOf(row), { equals: { assignmentId: row.id } }),
        remove(keys.voiceAgentDirectory(row.id)),
      ],
      {
        category: "configuration_change",
        action: "voiceAgent.delete",
        resourceType: "VoiceAgent",
        resourceId: row.id,
        detail: detailOf(row),
      },
    );
  });

/** A change that lost its race is tried again on what stands there now, unless its caller named the version they saw. */
const onFreshRow = <T>(
  ctx: TenantContext,
  { id, officeId }: Which,
  ifMatch: number | undefined,
  change: (row: VoiceAgentRow) => Promise<T>,
): Promise<T> => onFreshRead(ifMatch, async () => change(await findAgent(ctx, id, officeId)));
