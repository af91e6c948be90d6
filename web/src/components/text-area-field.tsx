import { Textarea, type TextareaProps } from "@chakra-ui/react/textarea";
import { LabelledField, type Labels } from "./labelled-field.tsx";

/** Several lines of text. */
export const TextAreaField = ({ label, hint, error, isOptional, ...area }: TextareaProps & Labels) => (
  <LabelledField {...{ label, hint, error, isOptional }}>{(tied) => <Textarea rows={6} {...tied} {...area} />}</LabelledField>
);
