import type { Tenant, VoiceAgent } from "@vitaline/contract";
import { SummaryRows } from "../../components/table/recent-rows.tsx";
import { platformNames } from "../../lib/format/labels.ts";
import { endOfId, namesakes } from "./namesakes.ts";
import { useOfficeNames } from "./use-office-names.ts";

/** An organization's agents: at which platform, for which place, and what tells those with one name apart. */
export const AgentsOfGroup = ({ tenant, agents }: { tenant: Tenant; agents: readonly VoiceAgent[] }) => {
  const placeOf = useOfficeNames(tenant.id, agents);
  const isOneOfSeveral = namesakes(agents);
  return (
    <SummaryRows
      label={tenant.name}
      lines={agents.map((agent) => ({
        id: agent.id,
        title: agent.agentName,
        details: [platformNames[agent.providerType], placeOf(agent), ...(isOneOfSeveral(agent) ? endOfId(agent) : [])],
        isActive: agent.isActive,
      }))}
    />
  );
};
