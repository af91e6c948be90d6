import { Button } from "@chakra-ui/react/button";
import type { VoiceAgent } from "@vitaline/contract";
import Bot from "lucide-react/dist/esm/icons/bot.mjs";
import type { EachTenant } from "../../api/use-each-tenant.ts";
import { Counts } from "../../components/counts.tsx";
import { EachTenantBody } from "../../components/each-tenant-body.tsx";
import { Empty } from "../../components/empty.tsx";
import { newest } from "../../components/newest.ts";
import { Panel } from "../../components/panel.tsx";
import { RecentRows } from "../../components/recent-rows.tsx";
import { TenantGroups } from "../../components/tenant-groups.tsx";
import { formatCount } from "../../format/numbers.ts";
import { platformNames } from "../../format/platform-names.ts";

type Props = { each: EachTenant<VoiceAgent[]>; onOpen: (tenantId?: string) => void };

const detailsOf = ({ providerType, officeId }: VoiceAgent): string[] => [
  platformNames[providerType],
  officeId === undefined ? "Tenant-level" : "For an office",
];

const countsOf = (agents: readonly VoiceAgent[]) => [
  { name: "Active Agents", value: formatCount(agents.filter(({ isActive }) => isActive).length) },
  { name: "Total Agents", value: formatCount(agents.length) },
];

/** The agents that answer for all organizations. */
export const VoiceAgentsPanel = ({ each, onOpen }: Props) => (
  <Panel
    title="Voice Agents"
    description="Which agent of a voice platform answers for which organization or office."
    actions={
      <Button size="sm" aria-haspopup="dialog" onClick={() => onOpen()}>
        <Bot aria-hidden />
        Manage Agents
      </Button>
    }
  >
    <EachTenantBody
      each={each}
      what="voice agents"
      empty={
        <Empty
          icon={Bot}
          title="No voice agents configured yet."
          description='Click "Manage Agents" to create your first AI voice agent.'
        />
      }
    >
      {(groups) => (
        <>
          <Counts label="Voice agents" counts={countsOf(groups.flatMap(({ data }) => data))} />
          <RecentRows
            label="Most recent voice agents"
            lines={newest(groups).map(({ tenant, row: { id, agentName, isActive } }) => ({
              id,
              title: agentName,
              details: [tenant.name],
              isActive,
            }))}
          />
          <TenantGroups
            title="Voice agents by organization"
            groups={groups.map(({ tenant, data }) => ({
              tenant,
              lines: data.map((agent) => ({ id: agent.id, title: agent.agentName, details: detailsOf(agent), isActive: agent.isActive })),
            }))}
            action="Manage"
            onOpen={onOpen}
          />
        </>
      )}
    </EachTenantBody>
  </Panel>
);
