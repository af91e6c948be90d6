import { Field } from "@chakra-ui/react/field";
import { chakra } from "@chakra-ui/react/styled-system";
import { type ReactNode, useId } from "react";

export type Labels = {
  label: string;
  /** What helps to fill it in. */ hint?: string | undefined;
  error: string | undefined;
  /** It may stay empty, and says so. */ isOptional?: boolean | undefined;
  /** It cannot be changed now. */ isDisabled?: boolean | undefined;
};

type Tied = { "aria-required": boolean; "aria-describedby": string | undefined };

/** A control with its label; what helps and what is wrong with it are both said and tied to it. */
export const LabelledField = ({
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
