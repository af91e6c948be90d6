import { Button } from "@chakra-ui/react/button";
import type { ApiKey } from "@vitaline/contract";
import { useState } from "react";
import { RegenerationQuestion } from "../api-keys/keys/regeneration-question.tsx";
import { useRegeneration } from "./use-regeneration.ts";

type Props = {
  tenantId: string;
  /** undefined as long as they are not known */ keys: readonly ApiKey[] | undefined;
  /** null: it was replaced, and could not be read. */ onNewKey: (apiKey: string | null) => void;
};

/** The way to a new key, after a question. */
export const KeyRegeneration = ({ tenantId, keys, onNewKey }: Props) => {
  const [isAsking, setIsAsking] = useState(false);
  const { run, isBusy, failure, forget } = useRegeneration(tenantId, keys, (apiKey) => {
    setIsAsking(false);
    onNewKey(apiKey);
  });
  const leave = () => {
    setIsAsking(false);
    forget();
  };
  return (
    <>
      <Button alignSelf="flex-start" size="sm" variant="outline" aria-disabled={isBusy} onClick={() => isBusy || setIsAsking(true)}>
        {isBusy ? "Generating..." : "Regenerate"}
      </Button>
      {isAsking ? <RegenerationQuestion keys={keys} isBusy={isBusy} failure={failure} onConfirm={run} onCancel={leave} /> : null}
    </>
  );
};
