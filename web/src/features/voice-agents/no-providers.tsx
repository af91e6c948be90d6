import { Alert } from "@chakra-ui/react/alert";
import type { VoiceProvider } from "@vitaline/contract";

/** Why no agent can be assigned; nothing where one can be. */
export const NoProviders = ({ providers }: { providers: readonly VoiceProvider[] }) => {
  if (providers.some(({ isActive }) => isActive)) return null;
  return (
    <Alert.Root status="warning">
      <Alert.Indicator />
      <Alert.Description>
        {providers.length === 0
          ? "You need to configure at least one voice provider before assigning agents."
          : "None of this organization's voice providers is active. Activate one before assigning agents."}
      </Alert.Description>
    </Alert.Root>
  );
};
