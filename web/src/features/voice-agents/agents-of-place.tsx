import { voiceAgents } from "@vitaline/contract";
import { call } from "../../lib/api/call.ts";
import { useAll } from "../../lib/api/use-all.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { AgentsPart, type AgentsPartProps } from "./agents-part.tsx";
import { useOfficeNames } from "./use-office-names.ts";

type Props = Pick<AgentsPartProps, "tenantId" | "onForm"> & { onChanged: () => Promise<void> };

/** An office's agents stand in both. */
const lists = [voiceAgents.listVoiceAgents, voiceAgents.listOfficeVoiceAgents] as const;

/** The agents of a tenant: its own, and those of its offices beside them. */
export const AgentsOfTenant = ({ tenantId, onForm, onChanged }: Props) => {
  const refresh = useRefresh();
  const params = { tenantId };
  const agents = useAll(voiceAgents.listVoiceAgents, { params });
  const placeOf = useOfficeNames(tenantId, agents.data ?? []);
  return (
    <AgentsPart
      {...{ tenantId, onForm, agents, placeOf }}
      assign={(body) => call(voiceAgents.assignVoiceAgent, { params, body })}
      change={({ id, version }, isActive) =>
        call(voiceAgents.updateVoiceAgent, { params: { tenantId, id }, body: { isActive } }, { ifMatch: version })
      }
      remove={({ id, version }) => call(voiceAgents.deleteVoiceAgent, { params: { tenantId, id } }, { ifMatch: version })}
      onChanged={async () => void (await Promise.all([refresh(...lists), onChanged()]))}
    />
  );
};

/** The agents of one office. */
export const AgentsOfOffice = ({ tenantId, officeId, onForm, onChanged }: Props & { officeId: string }) => {
  const refresh = useRefresh();
  const params = { officeId };
  const agents = useAll(voiceAgents.listOfficeVoiceAgents, { params });
  return (
    <AgentsPart
      {...{ tenantId, onForm, agents }}
      placeOf={() => undefined}
      assign={(body) => call(voiceAgents.assignOfficeVoiceAgent, { params, body })}
      change={({ id, version }, isActive) =>
        call(voiceAgents.updateOfficeVoiceAgent, { params: { officeId, id }, body: { isActive } }, { ifMatch: version })
      }
      remove={({ id, version }) => call(voiceAgents.deleteOfficeVoiceAgent, { params: { officeId, id } }, { ifMatch: version })}
      onChanged={async () => void (await Promise.all([refresh(...lists), onChanged()]))}
    />
  );
};
