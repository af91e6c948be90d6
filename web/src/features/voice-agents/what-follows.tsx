import { chakra } from "@chakra-ui/react/styled-system";
import { tenants, type VoiceAgent } from "@vitaline/contract";
import { useAll } from "../../lib/api/use-all.ts";
import { platformNames } from "../../lib/format/labels.ts";
import { useOfficeNames } from "./use-office-names.ts";

/** Which assignment it is, and what becomes of its calls and of the agent once it is deleted. */
export const WhatFollows = ({ agent }: { agent: VoiceAgent }) => {
  const { tenantId, officeId, agentName, externalAgentId, providerType, isActive } = agent;
  const placeOf = useOfficeNames(tenantId, [agent]);
  const tenant = useAll(tenants.listTenants, {}).data?.find(({ id }) => id === tenantId);
  const platform = platformNames[providerType];
  const place = `${tenant?.name ?? "its organization"}, ${officeId === undefined ? "all offices" : placeOf(agent)}`;
  return (
    <chakra.p mt="3" overflowWrap="anywhere">
      {`${agentName} (${platform}${externalAgentId === agentName ? "" : `, ID ${externalAgentId}`}) no longer answers for ${place}. `}
      {isActive
        ? `Calls go to another ${platform} agent that is assigned and active here; where there is none, nobody answers them. `
        : "It is inactive, so it answers no calls now. "}
      {`The agent itself stays at ${platform} and can be assigned again.`}
    </chakra.p>
  );
};
