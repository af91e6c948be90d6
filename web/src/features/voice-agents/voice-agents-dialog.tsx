import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { type ComponentProps, useState } from "react";
import { offices, voiceAgents } from "@vitaline/contract";
import type { FormState } from "../../lib/forms/drafts.ts";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { TenantChoice } from "../../components/tenants/tenant-choice.tsx";
import { call } from "../../lib/api/call.ts";
import { useAll } from "../../lib/api/use-all.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { AgentsPart, type AgentsPartProps } from "./agents-part.tsx";
import { useOfficeNames } from "./agent-labels.ts";
import { useApi } from "../../lib/api/use-api.ts";
import { ChoiceField } from "../../components/form/fields.tsx";
import { LoadFailure } from "../../components/feedback/loadable.tsx";

type AgentsOfTenantProps = Pick<AgentsPartProps, "tenantId" | "onForm"> & { onChanged: () => Promise<void> };

/** An office's agents are in both lists. */
const lists = [voiceAgents.listVoiceAgents, voiceAgents.listOfficeVoiceAgents] as const;

type Props = {
  /** "" for none */
  tenantId: string;
  /** "" for the tenant as a whole */
  officeId: string;
  onPlace: (tenantId: string, officeId?: string) => void;
  onChanged: (tenantId: string) => Promise<void>;
  onClose: () => void;
};

const VoiceAgentsDialog = ({ tenantId, officeId, onPlace, onChanged, onClose }: Props) => {
  // The place cannot change while a form is open.
  const [form, setForm] = useState<FormState>("closed");
  const part = { tenantId, onForm: setForm, onChanged: () => onChanged(tenantId) };
  const fixed = { isDisabled: form !== "closed", error: undefined };
  return (
    <Dialog title="Voice Agent Management" size="lg" isDirty={form === "dirty"} onClose={onClose}>
      <Stack gap="6">
        <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5" alignItems="start">
          <TenantChoice label="Tenant" {...fixed} value={tenantId} onChange={({ target }) => onPlace(target.value)} />
          {tenantId === "" ? null : (
            <OfficeChoice tenantId={tenantId} {...fixed} value={officeId} onChange={({ target }) => onPlace(tenantId, target.value)} />
          )}
        </SimpleGrid>
        {tenantId === "" ? <chakra.p color="fg.muted">Choose a tenant to see which agents answer for it.</chakra.p> : null}
        {tenantId !== "" && officeId === "" ? <AgentsOfTenant key={tenantId} {...part} /> : null}
        {tenantId !== "" && officeId !== "" ? <AgentsOfOffice key={officeId} {...part} officeId={officeId} /> : null}
      </Stack>
    </Dialog>
  );
};

type OfficeChoiceProps = Omit<ComponentProps<typeof ChoiceField>, "options" | "label"> & { tenantId: string };

const OfficeChoice = ({ tenantId, ...field }: OfficeChoiceProps) => {
  const { data, error, refresh, isRefreshing } = useApi(offices.listOffices, { params: { tenantId } });
  if (!data && error !== undefined)
    return <LoadFailure what="offices" title="Failed to fetch offices" error={error} onRetry={refresh} isRetrying={isRefreshing} />;
  const options = [{ value: "", label: "All offices / Tenant-level" }, ...(data ?? []).map(({ id, name }) => ({ value: id, label: name }))];
  return <ChoiceField key={data ? "all" : "none"} label="Office" isOptional {...field} options={options} />;
};

const AgentsOfTenant = ({ tenantId, onForm, onChanged }: AgentsOfTenantProps) => {
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

const AgentsOfOffice = ({ tenantId, officeId, onForm, onChanged }: AgentsOfTenantProps & { officeId: string }) => {
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

export default VoiceAgentsDialog;
