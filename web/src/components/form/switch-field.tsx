import { chakra } from "@chakra-ui/react/styled-system";
import { type ComponentPropsWithRef, useId } from "react";

type Props = Omit<ComponentPropsWithRef<"input">, "type" | "role"> & { label: string; hint?: string };

/** A checkbox with role="switch" needs no aria-checked. */
const switchProps = { type: "checkbox", role: "switch" } as const;

export const SwitchField = ({ label, hint, id: given, ...input }: Props) => {
  const own = useId();
  const id = given ?? own;
  return (
    <chakra.div display="flex" alignItems="flex-start" gap="3">
      <chakra.input
        {...input}
        id={id}
        {...switchProps}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        appearance="none"
        flexShrink="0"
        position="relative"
        w="11"
        h="6"
        mt="0.5"
        borderRadius="full"
        bg="border.emphasized"
        cursor="button"
        outline="0"
        focusVisibleRing="outside"
        transition="background 120ms"
        _before={{
          content: '""',
          position: "absolute",
          top: "3px",
          insetStart: "3px",
          boxSize: "18px",
          borderRadius: "full",
          bg: "white",
          transition: "translate 120ms",
        }}
        _checked={{ bg: "teal.solid", _before: { translate: "20px" } }}
        _disabled={{ layerStyle: "disabled" }}
      />
      <div>
        <chakra.label htmlFor={id} textStyle="sm" fontWeight="semibold" cursor="button">
          {label}
        </chakra.label>
        {hint === undefined ? null : (
          <chakra.p id={`${id}-hint`} textStyle="sm" color="fg.muted">
            {hint}
          </chakra.p>
        )}
      </div>
    </chakra.div>
  );
};
