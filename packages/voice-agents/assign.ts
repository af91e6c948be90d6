import type { NewVoiceAgent, VoiceAgent } from "@vitaline/contract";
import { allDone, AppError, isAppError, newId, notFound } from "@vitaline/core";
import { check, create, keys, onFreshRead, type TenantContext, type VoiceAgentRow } from "@vitaline/store";
import { agentKey, asVoiceAgent, detailOf, listedRow } from "./assignment.ts";

const inactiveProvider = () =>
  new AppError("not_doable", "This voice provider is inactive. Please activate it first.", { fields: { voiceProviderId: "Is inactive" } });
const inactiveOffice = () => new AppError("not_doable", "This office is inactive. Please activate it first.");
const active = { exists: true, equals: { isActive: true } };
const taken = (cause: unknown) =>
  new AppError("duplicate", "This agent is assigned already.", { cause, fields: { externalAgentId: "Is assigned already" } });

/**
 * From now on an agent of a voice platform answers for a tenant, or for one office of it. Within a tenant it answers for one
 * of them only. AppError `not_found` for a provider or an office that is not the tenant's, `not_doable` for an inactive one, `duplicate`.
 */
export const assignVoiceAgent = (ctx: TenantContext, officeId: string | undefined, input: NewVoiceAgent): Promise<VoiceAgent> =>
  // What was switched off meanwhile is found inactive by the next try.
  onFreshRead(undefined, () => assignOnce(ctx, officeId, input));

async function assignOnce(ctx: TenantContext, officeId: string | undefined, input: NewVoiceAgent): Promise<VoiceAgent> {
  const { voiceProviderId, externalAgentId, agentName, agentData, isActive } = input;
  const [provider, office] = await allDone([
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
        create(keys.externalAgent(provider.providerType, externalAgentId), { assignmentId: id, officeId, voiceProviderId, isActive }),
        create(agentKey(officeId, id), row),
        create(keys.voiceAgentDirectory(id), listedRow(ctx.tenantId, row)),
        check(keys.voiceProvider(voiceProviderId), active),
        ...(officeId === undefined ? [] : [check(keys.office(officeId), active)]),
      ],
      { category: "configuration_change", action: "voiceAgent.create", resourceType: "VoiceAgent", resourceId: id, detail: detailOf(row) },
    )
    .catch((error: unknown) => {
      throw isAppError(error, "duplicate") ? taken(error) : error;
    });
  return asVoiceAgent(ctx, row);
}
