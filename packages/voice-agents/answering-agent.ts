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

type IncomingCall = {
  platform: Call["platform"];
  agentId?: string;
  /** In the platform's spelling. */
  calledNumber?: string;
  /** Restricts the result to this provider. */
  voiceProviderId?: string;
};
type Answering = { agent: VoiceAgentRow; provider: VoiceProviderRow; tenant: TenantRow; office?: OfficeRow };

/**
 * The agent that answers an incoming call; undefined if there is none. An assigned agent named by the platform is the only
 * candidate. Otherwise by called number: the office's agent, then the tenant's own agents (default provider first), then any agent
 * of the default provider; the oldest of several. Inactive agents, providers and offices are skipped. One strongly consistent Query
 * per megabyte of configuration.
 */
export async function findAnsweringAgent(ctx: TenantContext, incoming: IncomingCall): Promise<Answering | undefined> {
  const { tenant, offices, providers, agents } = groupRows(
    await allRows<object>(ctx.store, keys.tenantPartitions.config(ctx.tenantId), { now: true }),
  );
  if (!tenant?.isActive) return undefined;
  const called = incoming.calledNumber === undefined ? undefined : await officeWithNumber(offices, incoming.calledNumber);

  const candidates = agents.flatMap((agent): (Answering & { agent: VoiceAgentRow })[] => {
    const provider = providers.find(({ id }) => id === agent.voiceProviderId);
    const office = agent.officeId === undefined ? called : offices.find(({ id }) => id === agent.officeId);
    if (!agent.isActive || !provider?.isActive || (agent.officeId !== undefined && !office?.isActive)) return [];
    if (agent.providerType !== incoming.platform || provider.id !== (incoming.voiceProviderId ?? provider.id)) return [];
    return [{ agent, provider, tenant, ...(office ? { office } : {}) }];
  });

  const isNamed = ({ providerType, externalAgentId }: VoiceAgentRow) =>
    incoming.agentId !== undefined && providerType === incoming.platform && externalAgentId === incoming.agentId;
  if (agents.some(isNamed)) return candidates.find(({ agent }) => isNamed(agent));
  const officeAgent = called && candidates.find(({ agent }) => agent.officeId === called.id);
  const tenantAgents = candidates.filter(({ agent }) => agent.officeId === undefined);
  const isDefault = ({ provider }: Answering): boolean => provider.id === tenant.defaultVoiceProviderId;
  return officeAgent ?? tenantAgents.find(isDefault) ?? tenantAgents[0] ?? candidates.find(isDefault);
}

/** Row kinds are recognized by fields of their own. Agents oldest first. */
function groupRows(rows: object[]): { tenant?: TenantRow; offices: OfficeRow[]; providers: VoiceProviderRow[]; agents: VoiceAgentRow[] } {
  const select = <Row>(isOne: (row: object) => boolean) => rows.filter(isOne) as Row[];
  const [tenant] = select<TenantRow>(isTenant);
  return {
    ...(tenant ? { tenant } : {}),
    offices: select<OfficeRow>((row) => "name" in row && !isTenant(row)),
    providers: select<VoiceProviderRow>((row) => "providerName" in row),
    agents: select<VoiceAgentRow>((row) => "externalAgentId" in row).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

const isTenant = (row: object): boolean => "organizationType" in row;
