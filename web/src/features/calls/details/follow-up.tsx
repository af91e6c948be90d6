import { Box } from "@chakra-ui/react/box";
import { Button } from "@chakra-ui/react/button";
import { Heading } from "@chakra-ui/react/heading";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { type CallDetail, type ListedCall, tenantCalls } from "@vitaline/contract";
import { useRef, useState } from "react";
import * as z from "zod/mini";
import { explain, isStale } from "../../../lib/api/api-error.ts";
import { call as callApi } from "../../../lib/api/call.ts";
import { useInlineAction } from "../../../lib/api/use-action.ts";
import { announce } from "../../../lib/toast.ts";
import { Failure } from "../../../components/feedback/alerts.tsx";
import { useRequestForm } from "../../../lib/forms/use-request-form.ts";
import { FormFrame, SubmitButton } from "../../../components/form/form-frame.tsx";
import { TextField } from "../../../components/form/fields.tsx";
import { useAuth } from "../../../lib/session/auth.tsx";
import { DateTime } from "../../../components/data/text.tsx";

type Props = {
  call: CallDetail;
  /** Whether an unsaved note exists */
  onDraft: (isDraft: boolean) => void;
  onReload: () => void;
  /** Resolves once the change is visible */
  onChanged: (call: ListedCall) => Promise<void>;
};

const conflictMessage = "Another user has changed this call in the meantime. The current version is shown; check it and try again.";

export const FollowUp = ({ call, onDraft, onReload, onChanged }: Props) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const [isDraft, setIsDraft] = useState(false);
  const [earlierNote, setEarlierNote] = useState("");

  const change = async (body: { done: boolean; note?: string | undefined }): Promise<void> => {
    const changed = await callApi(tenantCalls.followUpCall, { params: { callId: call.id }, body }, { ifMatch: call.version });
    updateDraft(false);
    await onChanged(changed);
    announce({ type: "success", title: body.done ? "Marked as followed up" : "Reopened" });
    // The pressed button disappears, so focus moves to the heading.
    heading.current?.focus();
  };
  const updateDraft = (is: boolean) => {
    setIsDraft(is);
    onDraft(is);
  };
  const refusal = (error: unknown): string => {
    if (!isStale(error)) return explain(error);
    onReload();
    return conflictMessage;
  };
  const reopening = useInlineAction(async () => {
    // The note goes with the mark, so it returns to the field.
    const note = call.followUp?.note ?? "";
    setEarlierNote(note);
    await change({ done: false });
    updateDraft(note !== "");
  }, refusal);

  const showsForm = call.needsFollowUp || isDraft;
  if (!showsForm && call.followUp === null) return null;
  return (
    <Box
      as="section"
      aria-label="Follow-up"
      bg="bg.subtle"
      borderWidth="1px"
      borderInlineStartWidth="4px"
      borderColor="border"
      borderInlineStartColor={call.needsFollowUp ? "orange.solid" : "green.solid"}
      borderRadius="l2"
      px="4"
      py="4"
    >
      <Heading as="h3" size="md" ref={heading} tabIndex={-1} outline="0" color={call.needsFollowUp ? "orange.fg" : "fg"}>
        {call.followUp === null ? "Needs follow-up" : "Followed up"}
      </Heading>
      {call.followUp === null ? (
        <Text textStyle="sm" color="fg.muted" mb="4">
          This call did not go well. Contact the caller, then mark it as followed up.
        </Text>
      ) : (
        <FollowUpDone followUp={call.followUp} />
      )}
      {showsForm ? (
        <FollowUpForm note={earlierNote} onNote={updateDraft} onDone={(note) => change({ done: true, note })} refusal={refusal} />
      ) : (
        <Stack gap="3" mt="3" align="flex-start">
          <Failure text={reopening.failure} />
          <Button variant="outline" size="sm" aria-disabled={reopening.isBusy} onClick={reopening.run}>
            {reopening.isBusy ? "Reopening..." : "Reopen"}
          </Button>
        </Stack>
      )}
    </Box>
  );
};

const FollowUpDone = ({ followUp: { doneAt, doneBy, note } }: { followUp: NonNullable<CallDetail["followUp"]> }) => {
  const { user } = useAuth();
  return (
    <>
      <Text textStyle="sm">
        <DateTime at={doneAt} />
        {doneBy === user?.id ? ", by you" : ", by a colleague"}
      </Text>
      {note === null ? null : (
        <Text mt="2" whiteSpace="pre-wrap" overflowWrap="anywhere">
          {note}
        </Text>
      )}
    </>
  );
};

const Note = z.object({ note: tenantCalls.followUpCall.body.shape.note });

type FollowUpFormProps = {
  note: string;
  onNote: (isTyped: boolean) => void;
  onDone: (note: string | undefined) => Promise<void>;
  refusal: (error: unknown) => string;
};

const FollowUpForm = ({ note: earlierNote, onNote, onDone, refusal }: FollowUpFormProps) => {
  const { field, submit, isBusy, failure } = useRequestForm<z.input<typeof Note>, z.output<typeof Note>>({
    schema: Note,
    defaultValues: { note: earlierNote },
    send: ({ note }) => onDone(note),
    refuse: refusal,
  });
  return (
    <FormFrame onSubmit={submit} failure={failure}>
      <TextField
        label="Note"
        isOptional
        hint="For your colleagues. It is stored encrypted because it may name a patient."
        maxLength={500}
        autoComplete="off"
        {...field("note")}
        onInput={({ currentTarget: { value } }) => onNote(value.trim() !== "")}
      />
      <div>
        <SubmitButton isBusy={isBusy} busyText="Saving...">
          Mark as followed up
        </SubmitButton>
      </div>
    </FormFrame>
  );
};
