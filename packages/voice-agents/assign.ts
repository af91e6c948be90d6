import type { NewVoiceAgent, VoiceAgent } from "@vitaline/contract";
import { awaitAllThenThrow, AppError, isAppError, newId, notFound } from "@vitaline/core";
import { check, create, keys, retryOnStale, type TenantContext, type VoiceAgentRow } from "@vitaline/store";
import { agentKey, asVoiceAgent, auditDetail, directoryRow } from "./assignment.ts";

const inactiveProvider = () =>
  new AppError("not_doable", "This voice provider is inactive. Please activate it first.", { fields: { voiceProviderId: "Is inactive" } });
const inactiveOffice = () => new AppError("not_doable", "This office is inactive. Please activate it first.");
const active = { exists: true, equals: { isActive: true } };
const taken = (cause: unknown) =>
  new AppError("duplicate", "This agent is already assigned.", { cause, fields: { externalAgentId: "Is already assigned" } });

/**
 * Assigns a platform's agent to the tenant or to one office. AppError `not_found` for a provider or an office of another tenant,
 * `not_doable` for an inactive one, `duplicate` for an agent that is assigned already.
 */
export const assignVoiceAgent = (ctx: TenantContext, officeId: string | undefined, input: NewVoiceAgent): Promise<VoiceAgent> =>
  // The retry finds a row that was deactivated meanwhile.
  retryOnStale(undefined, () => assignOnce(ctx, officeId, input));

async function assignOnce(ctx: TenantContext, officeId: string | undefined, input: NewVoiceAgent): Promise<VoiceAgent> {
  const { voiceProviderId, externalAgentId, agentName, agentData, isActive } = input;
  const [provider, office] = await awaitAllThenThrow([
    ctx.store.get(keys.voiceProvider(voiceProviderId)),
    officeId === undefined ? undefined : ctx.store.get(keys.office(officeId)),
  ]);
  if (!provider || (officeId !== undefined && !office)) throw notFound();
  if (!provider.isActive) throw inactiveProvider();
  if (office?.isActive === false) throw inactiveOffice();
  const id = newId(ctx.clock().getTime());
  const row: VoiceAgentRow = {
    id,
    officeId,
    voiceProviderId,
    providerType: provider.providerType,
    externalAgentId,
    agentName,
    agentData: agentData ?? undefined,
    isActive,
    createdAt: ctx.clock().toISOString(),
    version: 1,
  };
  await ctx.store
    .commit(
      [
        create(keys.agentAssignment(provider.providerType, externalAgentId), { assignmentId: id, officeId, voiceProviderId, isActive }),
        create(agentKey(officeId, id), row),
        create(keys.voiceAgentDirectory(id), directoryRow(ctx.tenantId, row)),
        check(keys.voiceProvider(voiceProviderId), active),
        ...(officeId === undefined ? [] : [check(keys.office(officeId), active)]),
      ],
      {
        category: "configuration_change",
        action: "voiceAgent.create",
        resourceType: "VoiceAgent",
        resourceId: id,
        detail: auditDetail(row),
      },
    )
    .catch((error: unknown) => {
      throw isAppError(error, "duplicate") ? taken(error) : error;
    });
  return asVoiceAgent(ctx, row);
}
