import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { keyPlaceholder } from "@vitaline/contract";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { chakra } from "@chakra-ui/react/styled-system";
import { useFocusLater } from "../../lib/dom/use-later-focus.ts";
import { CodeBlock } from "../../components/data/copy-button.tsx";
import { forgetKey, storeKey, useApiKey } from "./api-key-memory.ts";
import { TextField } from "../../components/form/fields.tsx";

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

type CurlCall = { origin: string; callId: string; toolCallId: string; name: string; values: Record<string, unknown> };

/** The request of a voice platform. Body: Vapi server SDK 2.0.1, "tool-calls". */
export const curlCommand = ({ origin, callId, toolCallId, name, values }: CurlCall, apiKey: string = keyPlaceholder): string => {
  const toolCall = { id: toolCallId, type: "function", function: { name, arguments: values } };
  const body = { message: { type: "tool-calls", call: { id: callId }, toolCallList: [toolCall] } };
  return [
    `curl -X POST ${quoted(`${origin}/api/vapi/tool-call`)}`,
    `  -H ${quoted(`Authorization: Bearer ${apiKey}`)}`,
    `  -H ${quoted("Content-Type: application/json")}`,
    `  -d ${quoted(JSON.stringify(body, null, 2))}`,
  ].join(" \\\n");
};

const problemOf = (key: string): string | undefined => {
  if (key === "") return "Is required";
  return /^[\x21-\x7e]+$/.test(key) ? undefined : "Must be a key, without spaces";
};

const KeyForm = ({ onKeep, onCancel }: { onKeep: (key: string) => void; onCancel: () => void }) => {
  const [key, setKey] = useState("");
  const [error, setError] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const keep = (event: FormEvent) => {
    event.preventDefault();
    const problem = problemOf(key.trim());
    setError(problem);
    if (problem === undefined) onKeep(key.trim());
    else field.current?.focus();
  };
  return (
    <chakra.form noValidate onSubmit={keep} display="grid" gap="3">
      <TextField
        label="Your API key"
        hint="Kept in this page’s memory until you leave this tab, and sent nowhere."
        type="password"
        autoComplete="off"
        ref={field}
        value={key}
        error={error}
        onChange={({ target }) => setKey(target.value)}
      />
      <Flex gap="3">
        <Button type="submit" size="sm">
          Keep key
        </Button>
        <Button size="sm" variant="outline" onClick={onCancel}>
          Cancel
        </Button>
      </Flex>
    </chakra.form>
  );
};

export const CurlCommand = ({ curl }: { curl: Omit<CurlCall, "origin"> }) => {
  const key = useApiKey();
  const [isAsking, setIsAsking] = useState(false);
  const { button, focusLater } = useFocusLater();
  const stopAsking = () => {
    setIsAsking(false);
    focusLater();
  };
  const keep = (given: string) => {
    storeKey(given);
    stopAsking();
  };
  const forget = () => {
    forgetKey();
    focusLater();
  };
  const call = { ...curl, origin: window.location.origin };
  return (
    <Stack gap="3">
      <CodeBlock label="The same with curl" text={curlCommand(call)} copied={curlCommand(call, key ?? keyPlaceholder)} />
      <Text textStyle="sm" color="fg.muted">
        Sent this way, it counts as a voice platform’s call: it appears in your metrics and makes changes without asking.
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
