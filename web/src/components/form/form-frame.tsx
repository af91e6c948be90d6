import { Alert } from "@chakra-ui/react/alert";
import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { Button } from "@chakra-ui/react/button";
import { useIsAwake } from "../../lib/dom/color-mode.ts";

type SubmitButtonProps = {
  isBusy: boolean;
  /** Shown while the request is under way. */ busyText: string;
  /** The id of the sentence that says what has to be chosen first; nothing can be sent before. */ lacks?: string | undefined;
  children: ReactNode;
};

/**
 * Sends its form once at a time, and keeps the focus while it does. Disabled until the page is awake: the browser would
 * send a prerendered form by itself, with what was typed in the address.
 */
export const SubmitButton = ({ isBusy, busyText, lacks, children }: SubmitButtonProps) => (
  <Button
    type="submit"
    size="lg"
    disabled={!useIsAwake() || lacks !== undefined}
    aria-describedby={lacks}
    aria-disabled={isBusy}
    onClick={(event) => isBusy && event.preventDefault()}
  >
    {isBusy ? busyText : children}
  </Button>
);

type Props = {
  onSubmit: () => Promise<void>;
  /** What is wrong with the form as a whole. */ failure: string | undefined;
  children: ReactNode;
};

/** One column of fields; why it was refused stands above them. */
export const FormFrame = ({ onSubmit, failure, children }: Props) => (
  <chakra.form
    display="flex"
    flexDirection="column"
    gap="5"
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      void onSubmit();
    }}
  >
    {failure === undefined ? null : (
      <Alert.Root status="error" role="alert">
        <Alert.Description>{failure}</Alert.Description>
      </Alert.Root>
    )}
    {children}
  </chakra.form>
);
