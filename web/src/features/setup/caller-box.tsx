import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { isToolName, toolCatalog } from "@vitaline/contract";
import { type FormEvent, useRef, useState } from "react";
import { Failure } from "../../components/feedback/alerts.tsx";
import { TextField } from "../../components/form/fields.tsx";
import type { Choice, Open } from "./caller-answer.ts";
import { choiceOf, maxTyped, understood } from "./typed-words.ts";
import { WriteConfirmation } from "./write-confirmation.tsx";

type Typed = { said: string; choice: Choice };
type Props = {
  open: Open | undefined;
  isBusy: boolean;
  failure: string | undefined;
  onSay: (typed: Typed, onSent: () => void) => void;
};

const errorOf = (said: string): string | undefined => {
  if (said === "") return "Type what the caller says, such as “Are you open tomorrow?”.";
  return said.length > maxTyped ? `Shorten it to ${maxTyped} characters, as callers say one thing at a time.` : undefined;
};

const titleOf = (choice: Choice): string => (choice.kind === "tool" && isToolName(choice.name) ? toolCatalog[choice.name].title : "This");

/** Words stay in the field until they are sent. */
export const CallerBox = ({ open, isBusy, failure, onSay }: Props) => {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();
  const [unconfirmed, setUnconfirmed] = useState<Typed>();
  const send = (typed: Typed) =>
    onSay(typed, () => {
      setText("");
      field.current?.focus();
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const said = text.trim();
    const wrong = errorOf(said);
    setError(wrong);
    if (wrong !== undefined) return field.current?.focus();
    const typed = { said, choice: choiceOf(said, open) };
    if (typed.choice.kind === "tool" && typed.choice.changesRecord) setUnconfirmed(typed);
    else send(typed);
  };
  return (
    <chakra.form noValidate onSubmit={submit} display="grid" gap="3">
      <Flex gap="3" align="flex-start" direction={{ base: "column", sm: "row" }}>
        <TextField
          ref={field}
          label="What the caller says"
          error={error}
          hint="In English. Press Enter to send."
          autoComplete="off"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Button type="submit" mt={{ base: "0", sm: "6" }} flexShrink="0" aria-disabled={isBusy}>
          {isBusy ? "Sending..." : "Send"}
        </Button>
      </Flex>
      <Failure text={failure} />
      <Text textStyle="sm" color="fg.muted">
        {`No language model reads it: this page picks the tool by the words alone, and the tool reads them as it would in a call. The page understands ${understood}.`}
      </Text>
      {unconfirmed ? (
        <WriteConfirmation
          title={titleOf(unconfirmed.choice)}
          isBusy={isBusy}
          onConfirm={() => {
            setUnconfirmed(undefined);
            send(unconfirmed);
          }}
          onCancel={() => setUnconfirmed(undefined)}
        />
      ) : null}
    </chakra.form>
  );
};
