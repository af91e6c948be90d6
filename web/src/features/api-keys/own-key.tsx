import { Alert } from "@chakra-ui/react/alert";
import { Stack } from "@chakra-ui/react/stack";
import type { ApiKey, TenantInfo } from "@vitaline/contract";
import { useState } from "react";
import type { Loaded } from "../../lib/api/use-api.ts";
import { announce } from "../../lib/toast.ts";
import { Loadable } from "../../components/feedback/loadable.tsx";
import { rememberKeyCopied } from "../onboarding/progress.ts";
import { FormerKeys } from "./former-keys.tsx";
import { KeyFacts } from "./key-facts.tsx";
import { KeyLine } from "./key-line.tsx";
import { readKey } from "./read-key.ts";
import { currentOf } from "./regenerate.ts";
import { Regeneration } from "./regeneration.tsx";
import { useEndOwnKey } from "./use-revocation.ts";
import { useShown } from "./use-shown.ts";

const newKeyNotices = {
  shown: "New API key generated successfully. Update your platform configurations with the new key.",
  unread: "The API key was replaced, but the new one could not be read just now. Press Show to see it.",
};

/** The key behind bullets, what is known of it and of former ones, and the way to a new one. */
export const OwnKey = ({ facts, keys }: { facts: TenantInfo; keys: Loaded<ApiKey[]> }) => {
  const { secret, isReading, show, hide, reveal } = useShown(readKey);
  const end = useEndOwnKey();
  const [isNew, setIsNew] = useState<"shown" | "unread">();
  const receive = (apiKey: string | null) => {
    if (apiKey === null) hide();
    else reveal(apiKey);
    setIsNew(apiKey === null ? "unread" : "shown");
  };
  return (
    <Stack gap="6">
      <KeyLine
        apiKey={secret}
        isReading={isReading}
        onShow={show}
        onHide={hide}
        onCopied={() => {
          rememberKeyCopied(facts.tenantId);
          announce({ type: "success", title: "Copied", description: "API key copied to clipboard" });
        }}
      />
      {isNew ? (
        <Alert.Root status="success" as="output">
          <Alert.Description>{newKeyNotices[isNew]}</Alert.Description>
        </Alert.Root>
      ) : null}
      <KeyFacts facts={facts} current={currentOf(keys.data)} />
      <Loadable loaded={keys} what="former API keys" skeleton={null}>
        {(list) => <FormerKeys keys={list} end={end} />}
      </Loadable>
      <Regeneration keys={keys.data} onNewKey={receive} />
    </Stack>
  );
};
