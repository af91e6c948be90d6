import type { Tenant, VoiceAgent } from "@vitaline/contract";
import Bot from "lucide-react/dist/esm/icons/bot.mjs";
import type { EachTenant } from "../../lib/api/use-each-tenant.ts";
import { EachTenantPanel } from "../../components/tenants/each-tenant-panel.tsx";
import type { OfTenant } from "../../components/table/latest-rows.tsx";
import { formatCount } from "../../lib/format/numbers.ts";
import { platformNames } from "../../lib/format/labels.ts";
import { idSuffix, findDuplicateNames, useOfficeNames } from "./agent-labels.ts";
import { SummaryRows } from "../../components/table/recent-rows.tsx";

type Props = { each: EachTenant<VoiceAgent[]>; onOpen: (tenantId?: string) => void };

export const VoiceAgentsPanel = ({ each, onOpen }: Props) => (
  <EachTenantPanel
    title="Voice Agents"
    description="Which agent of a voice platform answers for which organization or office."
    button={{ name: "Manage Agents", icon: Bot }}
    each={each}
    what="voice agents"
    empty={{
      icon: Bot,
      title: "No voice agents configured yet.",
      description: 'Click "Manage Agents" to create your first AI voice agent.',
    }}
    counts={{ label: "Voice agents", of: countsOf }}
    newestLines={newestLines}
    action="Manage"
    onOpen={onOpen}
  >
    {({ tenant, data }) => <TenantAgents tenant={tenant} agents={data} />}
  </EachTenantPanel>
);

const countsOf = (agents: readonly VoiceAgent[]) => [
  { name: "Active Agents", value: formatCount(agents.filter(({ isActive }) => isActive).length) },
  { name: "Total Agents", value: formatCount(agents.length) },
];

const newestLines = (newest: readonly OfTenant<VoiceAgent>[]) => {
  const isDuplicate = findDuplicateNames(newest.map(({ row }) => row));
  return newest.map(({ tenant, row }) => ({
    id: row.id,
    title: row.agentName,
    details: [tenant.name, ...(isDuplicate(row) ? [platformNames[row.providerType], ...idSuffix(row)] : [])],
    isActive: row.isActive,
  }));
};

const TenantAgents = ({ tenant, agents }: { tenant: Tenant; agents: readonly VoiceAgent[] }) => {
  const placeOf = useOfficeNames(tenant.id, agents);
  const isDuplicate = findDuplicateNames(agents);
  return (
    <SummaryRows
      label={tenant.name}
      lines={agents.map((agent) => ({
        id: agent.id,
        title: agent.agentName,
        details: [platformNames[agent.providerType], placeOf(agent), ...(isDuplicate(agent) ? idSuffix(agent) : [])],
        isActive: agent.isActive,
      }))}
    />
  );
};
