import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { keyPlaceholder } from "@vitaline/contract";
import { useState } from "react";
import { useLaterFocus } from "../../lib/dom/use-later-focus.ts";
import { CodeBlock } from "../../components/data/copy-button.tsx";
import { type CurlCall, curlOf } from "./curl.ts";
import { forgetKey, keepKey, useKeptKey } from "./kept-key.ts";
import { KeyForm } from "./key-form.tsx";

/** The command for what stands in the form. A key that was put in is copied with it and never shown. */
export const CurlCommand = ({ curl }: { curl: Omit<CurlCall, "origin"> }) => {
  const key = useKeptKey();
  const [isAsking, setIsAsking] = useState(false);
  const { button, focusLater } = useLaterFocus();
  const stopAsking = () => {
    setIsAsking(false);
    focusLater();
  };
  const keep = (given: string) => {
    keepKey(given);
    stopAsking();
  };
  const forget = () => {
    forgetKey();
    focusLater();
  };
  const call = { ...curl, origin: window.location.origin };
  return (
    <Stack gap="3">
      <CodeBlock label="The same with curl" text={curlOf(call)} copied={curlOf(call, key ?? keyPlaceholder)} />
      <Text textStyle="sm" color="fg.muted">
        Sent this way it is a voice platform’s call: it counts in your metrics, and it changes what it changes without asking.
      </Text>
      {isAsking ? (
        <KeyForm onKeep={keep} onCancel={stopAsking} />
      ) : (
        <Flex align="center" gap="3" wrap="wrap" textStyle="sm">
          <Text color="fg.muted" flex="1" minW="3xs">
            {key === null
              ? `Copied with ${keyPlaceholder} in the key’s place.`
              : "Copied with your API key, which is kept until you leave this tab."}
          </Text>
          {key === null ? (
            <Button ref={button} size="sm" variant="outline" onClick={() => setIsAsking(true)}>
              Use my API key
            </Button>
          ) : (
            <Button ref={button} size="sm" variant="outline" onClick={forget}>
              Forget my API key
            </Button>
          )}
        </Flex>
      )}
    </Stack>
  );
};
