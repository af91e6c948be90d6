import { chakra } from "@chakra-ui/react/styled-system";
import { type ComponentPropsWithRef, useId } from "react";

type Input = Omit<ComponentPropsWithRef<"input">, "type" | "id" | "value" | "checked">;
type Props = Input & {
  label: string;
  hint?: string | undefined;
  error: string | undefined;
  isOptional?: boolean | undefined;
  options: readonly { value: string; label: string; hint?: string }[];
  /** For values that are not form inputs. */
  isChecked?: (value: string) => boolean;
};

/** A group of checkboxes. Further props go to each of them. */
export const ChecksField = ({ label, hint, error, isOptional = false, options, isChecked, ...input }: Props) => {
  const id = useId();
  const described = [...(error === undefined ? [] : [`${id}-error`]), ...(hint === undefined ? [] : [`${id}-hint`])].join(" ");
  return (
    <chakra.fieldset aria-describedby={described || undefined} display="flex" flexDirection="column" gap="2" minW="0">
      <chakra.legend textStyle="sm" fontWeight="semibold" mb="1.5">
        {label}
        {isOptional ? <chakra.span color="fg.muted" fontWeight="normal">{` (optional)`}</chakra.span> : null}
      </chakra.legend>
      {options.map((option) => (
        <chakra.label key={option.value} display="flex" alignItems="flex-start" gap="3" textStyle="sm" cursor="button">
          <chakra.input
            {...input}
            type="checkbox"
            value={option.value}
            {...(isChecked && { checked: isChecked(option.value) })}
            aria-invalid={error !== undefined || undefined}
            accentColor="teal.solid"
            boxSize="4.5"
            mt="0.5"
            flexShrink="0"
            outline="0"
            focusVisibleRing="outside"
            borderRadius="l1"
          />
          <span>
            {option.label}
            {option.hint === undefined ? null : (
              <chakra.span display="block" color="fg.muted">
                {option.hint}
              </chakra.span>
            )}
          </span>
        </chakra.label>
      ))}
      {error === undefined ? null : (
        <chakra.p id={`${id}-error`} color="fg.error" textStyle="sm" fontWeight="medium">
          {error}
        </chakra.p>
      )}
      {hint === undefined ? null : (
        <chakra.p id={`${id}-hint`} color="fg.muted" textStyle="sm">
          {hint}
        </chakra.p>
      )}
    </chakra.fieldset>
  );
};
