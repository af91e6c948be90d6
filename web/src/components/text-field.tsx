import { Input, type InputProps } from "@chakra-ui/react/input";
import type { Ref } from "react";
import { LabelledField, type Labels } from "./labelled-field.tsx";

type Props = InputProps & Labels & { ref?: Ref<HTMLInputElement> };

/** One labelled line of a form. */
export const TextField = ({ label, hint, error, isOptional, ...input }: Props) => (
  <LabelledField {...{ label, hint, error, isOptional }}>{(tied) => <Input {...tied} {...input} />}</LabelledField>
);
