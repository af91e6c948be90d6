import { Field } from "@chakra-ui/react/field";
import { Input, type InputProps } from "@chakra-ui/react/input";
import { useId } from "react";

type Props = InputProps & { label: string; error: string | undefined };

/** One labelled line of a form; what is wrong with it is both said and tied to it. */
export const TextField = ({ label, error, ...input }: Props) => {
  const errorId = useId();
  return (
    <Field.Root invalid={error !== undefined}>
      <Field.Label>{label}</Field.Label>
      <Input aria-required aria-describedby={error === undefined ? undefined : errorId} {...input} />
      {error === undefined ? null : <Field.ErrorText id={errorId}>{error}</Field.ErrorText>}
    </Field.Root>
  );
};
