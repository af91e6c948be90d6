import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { type ProviderAgent, tenantVoiceProviders, type voiceProviders } from "@vitaline/contract";
import { useEffect, useEffectEvent, useState } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { useApi } from "../../../lib/api/use-api.ts";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { ChoiceField, TextField } from "../../../components/form/fields.tsx";

type Field = UseFormRegisterReturn & { error: string | undefined };
type Props = {
  providerId: string;
  route?: typeof tenantVoiceProviders.listOwnProviderAgents | typeof voiceProviders.listProviderAgents;
  failed?: string;
  onFailed?: () => void;
  field: Field;
  /** undefined for a typed id and for none. */
  onChosen: (agent: ProviderAgent | undefined) => void;
};

const labelOf = ({ name, id, isActive }: ProviderAgent): string => `${name || id}${isActive ? "" : " (inactive at the platform)"}`;

/** Selects an agent from the voice platform's current list, or by its id. */
export const AgentPicker = ({
  providerId,
  route = tenantVoiceProviders.listOwnProviderAgents,
  failed = "Failed to load agents from provider",
  onFailed,
  field,
  onChosen,
}: Props) => {
  const [isTyped, setIsTyped] = useState(false);
  const agents = useApi(route, { params: { providerId } }, { fresh: true, when: !isTyped });
  // Called once for each failure.
  const tellFailure = useEffectEvent(() => onFailed?.());
  useEffect(() => {
    if (agents.error !== undefined) tellFailure();
  }, [agents.error]);
  const change = () => {
    onChosen(undefined);
    setIsTyped(!isTyped);
  };
  return (
    <Stack gap="3" align="flex-start">
      {isTyped ? (
        <TextField label="Agent ID" hint="As shown at the voice platform." autoComplete="off" {...field} />
      ) : (
        <Loadable loaded={agents} what="agents from provider" failed={failed} skeleton={<RowSkeletons />}>
          {(list) => (
            <ChoiceField
              label="Agent"
              hint={list.length === 0 ? "The platform lists no agents. You can enter an agent ID instead." : undefined}
              options={[{ value: "", label: "Choose an agent" }, ...list.map((agent) => ({ value: agent.id, label: labelOf(agent) }))]}
              {...field}
              onChange={(event) => {
                onChosen(list.find(({ id }) => id === event.target.value));
                return field.onChange(event);
              }}
            />
          )}
        </Loadable>
      )}
      <Button size="sm" variant="ghost" ms="-3" onClick={change}>
        {isTyped ? "Choose from the platform's list" : "Enter the agent ID instead"}
      </Button>
    </Stack>
  );
};
