import { Button } from "@chakra-ui/react/button";
import { Input, type InputProps } from "@chakra-ui/react/input";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { type Ref, useState } from "react";
import { type Labels, LabeledField } from "./fields.tsx";

type Props = Omit<InputProps, "type"> & Labels & { ref?: Ref<HTMLInputElement> };

/** A password with a button that shows what is typed. */
export const PasswordField = ({ label, hint, error, ...input }: Props) => {
  const [isShown, setIsShown] = useState(false);
  return (
    <LabeledField {...{ label, hint, error }}>
      {(tied) => (
        <chakra.div position="relative" w="full">
          <Input type={isShown ? "text" : "password"} pe="20" spellCheck={false} autoCapitalize="none" {...tied} {...input} />
          <Button
            type="button"
            size="xs"
            variant="ghost"
            position="absolute"
            insetEnd="1.5"
            top="50%"
            transform="translateY(-50%)"
            minH="8"
            onClick={() => setIsShown((shown) => !shown)}
          >
            {isShown ? "Hide" : "Show"}
            <VisuallyHidden>{` ${label.toLowerCase()}`}</VisuallyHidden>
          </Button>
        </chakra.div>
      )}
    </LabeledField>
  );
};
