import type { VoiceAgent } from "@vitaline/contract";
import Bot from "lucide-react/dist/esm/icons/bot.mjs";
import { Empty } from "../../components/feedback/empty.tsx";
import { RowList } from "../../components/table/row-list.tsx";
import { AgentRow, type AgentRowProps } from "./agent-row.tsx";

type Props = Omit<AgentRowProps, "agent"> & { agents: readonly VoiceAgent[] };

/** The agents that answer, or how the first one comes to. */
export const AgentList = ({ agents, ...row }: Props) =>
  agents.length === 0 ? (
    <Empty
      icon={Bot}
      title="No voice agent assignments configured yet."
      description="Assign one of the agents that the organization has at its voice platform."
    />
  ) : (
    <RowList label="Voice agent assignments">
      {agents.map((agent) => (
        <AgentRow key={agent.id} agent={agent} {...row} />
      ))}
    </RowList>
  );
