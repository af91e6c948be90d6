import { Input, type InputProps } from "@chakra-ui/react/input";
import { LabelledField, type Labels } from "./labelled-field.tsx";

/** One labelled line of a form. */
export const TextField = ({ label, hint, error, isOptional, ...input }: InputProps & Labels) => (
  <LabelledField {...{ label, hint, error, isOptional }}>{(tied) => <Input {...tied} {...input} />}</LabelledField>
);
