import type { ChangedVoiceAgent, VoiceAgent } from "@vitaline/contract";
import { keys, nextVersion, retryOnStale, remove, update, type TenantContext, type VoiceAgentRow } from "@vitaline/store";
import { agentKey, asVoiceAgent, auditDetail, findAgent } from "./assignment.ts";

/** Without `officeId`: of the tenant or any of its offices. */
export type AssignmentRef = { id: string; officeId?: string };

const assignmentKey = ({ providerType, externalAgentId }: VoiceAgentRow) => keys.agentAssignment(providerType, externalAgentId);

/** AppError `not_found`; `stale_version` if `ifMatch` is not the current version. */
export const updateVoiceAgent = (
  ctx: TenantContext,
  which: AssignmentRef,
  { isActive }: ChangedVoiceAgent,
  ifMatch: number | undefined,
): Promise<VoiceAgent> =>
  onFreshRow(ctx, which, ifMatch, async (row) => {
    const { version, asRead } = nextVersion(row, ifMatch);
    const changed = { ...row, isActive, version };
    await ctx.store.commit(
      [
        update(agentKey(row.officeId, row.id), { set: { isActive, version } }, asRead),
        update(assignmentKey(row), { set: { isActive } }, { equals: { assignmentId: row.id } }),
        update(keys.voiceAgentDirectory(row.id), { set: { isActive } }, { exists: true }),
      ],
      {
        category: "configuration_change",
        action: "voiceAgent.update",
        resourceType: "VoiceAgent",
        resourceId: row.id,
        detail: auditDetail(changed),
      },
    );
    return asVoiceAgent(ctx, changed);
  });

/** The agent can be assigned again. AppErrors as updateVoiceAgent. */
export const deleteVoiceAgent = (ctx: TenantContext, which: AssignmentRef, ifMatch: number | undefined): Promise<void> =>
  onFreshRow(ctx, which, ifMatch, async (row) => {
    const { asRead } = nextVersion(row, ifMatch);
    await ctx.store.commit(
      [
        remove(agentKey(row.officeId, row.id), asRead),
        remove(assignmentKey(row), { equals: { assignmentId: row.id } }),
        remove(keys.voiceAgentDirectory(row.id)),
      ],
      {
        category: "configuration_change",
        action: "voiceAgent.delete",
        resourceType: "VoiceAgent",
        resourceId: row.id,
        detail: auditDetail(row),
      },
    );
  });

/** Retries a lost race on the new row, unless the caller named a version. */
const onFreshRow = <T>(
  ctx: TenantContext,
  { id, officeId }: AssignmentRef,
  ifMatch: number | undefined,
  change: (row: VoiceAgentRow) => Promise<T>,
): Promise<T> => retryOnStale(ifMatch, async () => change(await findAgent(ctx, id, officeId)));
