import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { type ApiKey, apiKeys, tenant } from "@vitaline/contract";
import { useState } from "react";
import { ApiError } from "../../../lib/api/api-error.ts";
import { useAction } from "../../../lib/api/use-action.ts";
import { useRefresh } from "../../../lib/api/use-refresh.ts";
import { announce } from "../../../lib/toast.ts";
import { forgetKey } from "../../tools/api-key-memory.ts";
import { regenerateKey } from "./regenerate.ts";
import { RegenerationConfirmation } from "./regeneration-question.tsx";

type Props = {
  /** undefined until loaded */
  keys: readonly ApiKey[] | undefined;
  /** null if the key was replaced but could not be read */
  onNewKey: (apiKey: string | null) => void;
};

export const Regeneration = ({ keys, onNewKey }: Props) => {
  const refresh = useRefresh();
  const [isAsking, setIsAsking] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const { run, isBusy } = useAction(
    async (overlapSeconds: number) => {
      setFailure(undefined);
      onNewKey(await regenerateKey(overlapSeconds, keys));
      // The test console may still hold the old key.
      forgetKey();
      setIsAsking(false);
      announce({ type: "success", title: "API Key Regenerated", description: "Your new API key has been generated successfully." });
      await refresh(tenant.tenantInfo, apiKeys.listApiKeys);
    },
    (error) => {
      setFailure(error);
      const told = error instanceof ApiError ? error.problem?.error : undefined;
      announce({ type: "error", title: "Error", description: told ?? "Failed to regenerate API key" });
      // The key may have been replaced anyway, and a retry compares with the listed keys.
      void refresh(apiKeys.listApiKeys);
    },
  );
  const leave = () => {
    setIsAsking(false);
    setFailure(undefined);
  };
  return (
    <Stack gap="4" alignItems="flex-start">
      <Alert.Root status="warning">
        <Alert.Content>
          <Alert.Title>A new key replaces this one everywhere</Alert.Title>
          <Alert.Description>
            Update every voice platform that you use: requests with the old key are refused as soon as it ends.
          </Alert.Description>
        </Alert.Content>
      </Alert.Root>
      <Button variant="outline" aria-disabled={isBusy} onClick={() => isBusy || setIsAsking(true)}>
        {isBusy ? "Regenerating..." : "Regenerate API Key"}
      </Button>
      {isAsking ? <RegenerationConfirmation keys={keys} isBusy={isBusy} failure={failure} onConfirm={run} onCancel={leave} /> : null}
    </Stack>
  );
};
