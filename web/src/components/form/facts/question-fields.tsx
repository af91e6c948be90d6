import { Stack } from "@chakra-ui/react/stack";
import { maxQuestions } from "@vitaline/contract";
import type { FieldValues, Path } from "react-hook-form";
import { errorWithin, plainForm } from "../../../lib/forms/array-fields.ts";
import { TextAreaField, TextField } from "../fields.tsx";
import { FactRows } from "./fact-rows.tsx";
import type { FactsProps } from "./facts-props.ts";

/** Questions and answers in the office's own words. */
export const QuestionFields = <V extends FieldValues, Sent>({ form, field, place, inherited }: FactsProps<V, Sent>) => {
  const list = `${place}.questions`;
  const ofOrganization = inherited?.questions.map(({ question }) => question).join(" · ") ?? "";
  return (
    <FactRows
      control={plainForm(form).control}
      place={list}
      legend="Questions and answers"
      thing="question"
      whenEmpty={
        ofOrganization === ""
          ? "Other questions callers often ask, and the answers they get."
          : `Same as the organization: ${ofOrganization}`
      }
      most={maxQuestions}
      blank={{ question: "", answer: "" }}
      error={errorWithin(form.formState.errors, list)}
    >
      {(at) => (
        <Stack gap="3">
          <TextField
            label="Question"
            placeholder="e.g. Do you take walk-ins?"
            autoComplete="off"
            {...field(`${list}.${at}.question` as Path<V>)}
          />
          <TextAreaField label="Answer" rows={3} {...field(`${list}.${at}.answer` as Path<V>)} />
        </Stack>
      )}
    </FactRows>
  );
};
