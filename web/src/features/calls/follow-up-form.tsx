import { tenantCalls } from "@vitaline/contract";
import * as z from "zod/mini";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { TextField } from "../../components/form/fields.tsx";

const Note = z.object({ note: tenantCalls.followUpCall.body.shape.note });

type Props = {
  /** Whether there is one. */ onNote: (isTyped: boolean) => void;
  onDone: (note: string | undefined) => Promise<void>;
  refusal: (error: unknown) => string;
};

/** Says that the caller has been looked after; the note survives a refusal. */
export const FollowUpForm = ({ onNote, onDone, refusal }: Props) => {
  const { field, submit, isBusy, failure } = useRequestForm<z.input<typeof Note>, z.output<typeof Note>>({
    schema: Note,
    defaultValues: { note: "" },
    send: ({ note }) => onDone(note),
    refuse: refusal,
  });
  return (
    <FormFrame onSubmit={submit} failure={failure}>
      <TextField
        label="Note"
        isOptional
        hint="For your colleagues. It is kept encrypted, as it may name a patient."
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
