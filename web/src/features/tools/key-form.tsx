import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { TextField } from "../../components/form/fields.tsx";

/** What can be a key: one word. */
const problemOf = (key: string): string | undefined => {
  if (key === "") return "Is required";
  return /^[\x21-\x7e]+$/.test(key) ? undefined : "Must be a key, without spaces";
};

/** Takes a key from whoever has it at hand, and the focus from the button in whose place it stands. */
export const KeyForm = ({ onKeep, onCancel }: { onKeep: (key: string) => void; onCancel: () => void }) => {
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
