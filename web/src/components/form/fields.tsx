import { Field } from "@chakra-ui/react/field";
import { chakra } from "@chakra-ui/react/styled-system";
import { type ComponentPropsWithRef, type ReactNode, type Ref, useId } from "react";
import { Input, type InputProps } from "@chakra-ui/react/input";
import { Textarea, type TextareaProps } from "@chakra-ui/react/textarea";
import { NativeSelect } from "@chakra-ui/react/native-select";

type ChoiceFieldProps = Omit<ComponentPropsWithRef<typeof NativeSelect.Field>, "children"> &
  Labels & { options: readonly { value: string; label: string }[] };

export const ChoiceField = ({ label, hint, error, isOptional, isDisabled, options, ...select }: ChoiceFieldProps) => (
  <LabeledField {...{ label, hint, error, isOptional, isDisabled }}>
    {(tied) => (
      <NativeSelect.Root>
        <NativeSelect.Field {...tied} {...select}>
          {options.map(({ value, label: name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
    )}
  </LabeledField>
);

export const TextAreaField = ({ label, hint, error, isOptional, ...area }: TextareaProps & Labels) => (
  <LabeledField {...{ label, hint, error, isOptional }}>{(tied) => <Textarea rows={6} {...tied} {...area} />}</LabeledField>
);

type Props = InputProps & Labels & { ref?: Ref<HTMLInputElement> };

export const TextField = ({ label, hint, error, isOptional, ...input }: Props) => (
  <LabeledField {...{ label, hint, error, isOptional }}>{(tied) => <Input {...tied} {...input} />}</LabeledField>
);

export type Labels = {
  label: string;
  hint?: string | undefined;
  error: string | undefined;
  isOptional?: boolean | undefined;
  isDisabled?: boolean | undefined;
};

type Tied = { "aria-required": boolean; "aria-describedby": string | undefined };

export const LabeledField = ({
  label,
  hint,
  error,
  isOptional = false,
  isDisabled = false,
  children,
}: Labels & { children: (tied: Tied) => ReactNode }) => {
  const id = useId();
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`];
  const described = [...(error === undefined ? [] : [errorId]), ...(hint === undefined ? [] : [hintId])].join(" ");
  return (
    <Field.Root invalid={error !== undefined} disabled={isDisabled}>
      <Field.Label>
        {label}
        {isOptional ? (
          <chakra.span color="fg.muted" fontWeight="normal">
            (optional)
          </chakra.span>
        ) : null}
      </Field.Label>
      {children({ "aria-required": !isOptional, "aria-describedby": described || undefined })}
      {error === undefined ? null : <Field.ErrorText id={errorId}>{error}</Field.ErrorText>}
      {hint === undefined ? null : <Field.HelperText id={hintId}>{hint}</Field.HelperText>}
    </Field.Root>
  );
};
