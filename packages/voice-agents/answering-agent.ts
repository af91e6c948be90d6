import type { Call } from "@vitaline/contract";
import { officeWithNumber } from "@vitaline/offices";
import {
  allRows,
  keys,
  type OfficeRow,
  type TenantContext,
  type TenantRow,
  type VoiceAgentRow,
  type VoiceProviderRow,
} from "@vitaline/store";

type Asked = {
  platform: Call["platform"];
  agentId?: string;
  /** As the platform spells it. */
  calledNumber?: string;
  /** Only agents of this provider answer. */
  voiceProviderId?: string;
};
type Answering = { agent: VoiceAgentRow; provider: VoiceProviderRow; tenant: TenantRow; office?: OfficeRow };

/**
 * Who answers a call that comes in; undefined: nobody. An agent that the platform names and that is assigned here answers for
 * itself or not at all. Else the called number decides: the agent of the office with that number; else one of the tenant's own,
 * its default voice provider's before any other's; else any of its default voice provider. Of several in one place it is the oldest.
 * Nobody answers who is switched off, or whose provider or office is.
 * One strongly consistent Query of the tenant's configuration (one more for each megabyte of it).
 */
export async function whoAnswers(ctx: TenantContext, asked: Asked): Promise<Answering | undefined> {
  const { tenant, offices, providers, agents } = sorted(
    await allRows<object>(ctx.store, keys.tenantPartitions.config(ctx.tenantId), { now: true }),
  );
  if (!tenant?.isActive) return undefined;
  const called = asked.calledNumber === undefined ? undefined : officeWithNumber(offices, asked.calledNumber);

  const answering = agents.flatMap((agent): (Answering & { agent: VoiceAgentRow })[] => {
    const provider = providers.find(({ id }) => id === agent.voiceProviderId);
    const office = agent.officeId === undefined ? called : offices.find(({ id }) => id === agent.officeId);
    if (!agent.isActive || !provider?.isActive || (agent.officeId !== undefined && !office?.isActive)) return [];
    if (agent.providerType !== asked.platform || provider.id !== (asked.voiceProviderId ?? provider.id)) return [];
    return [{ agent, provider, tenant, ...(office ? { office } : {}) }];
  });

  const isNamed = ({ providerType, externalAgentId }: VoiceAgentRow) =>
    asked.agentId !== undefined && providerType === asked.platform && externalAgentId === asked.agentId;
  if (agents.some(isNamed)) return answering.find(({ agent }) => isNamed(agent));
  const ofOffice = called && answering.find(({ agent }) => agent.officeId === called.id);
  const tenantsOwn = answering.filter(({ agent }) => agent.officeId === undefined);
  const isDefault = ({ provider }: Answering): boolean => provider.id === tenant.defaultVoiceProviderId;
  return ofOffice ?? tenantsOwn.find(isDefault) ?? tenantsOwn[0] ?? answering.find(isDefault);
}

/** The rows of a tenant's configuration by what they are; each kind is known by fields that no other has. Agents oldest first. */
function sorted(rows: object[]): { tenant?: TenantRow; offices: OfficeRow[]; providers: VoiceProviderRow[]; agents: VoiceAgentRow[] } {
  const all = <Row>(isOne: (row: object) => boolean) => rows.filter(isOne) as Row[];
  const [tenant] = all<TenantRow>(isTenant);
  return {
    ...(tenant ? { tenant } : {}),
    offices: all<OfficeRow>((row) => "name" in row && !isTenant(row)),
    providers: all<VoiceProviderRow>((row) => "providerName" in row),
    agents: all<VoiceAgentRow>((row) => "externalAgentId" in row).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

const isTenant = (row: object): boolean => "organizationType" in row;
