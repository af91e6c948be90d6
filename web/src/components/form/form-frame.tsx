import { Alert } from "@chakra-ui/react/alert";
import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { Button } from "@chakra-ui/react/button";
import { useIsHydrated } from "../../lib/dom/use-is-hydrated.ts";

type SubmitButtonProps = {
  isBusy: boolean;
  /** Shown while the request runs. */
  busyText: string;
  /** The id of the text that lists missing input; the button is disabled until it is gone. */
  lacks?: string | undefined;
  children: ReactNode;
};

/**
 * Keeps the focus while the form is sent. Disabled until the page is hydrated: before that, the browser would send the form
 * itself, with its values in the address.
 */
export const SubmitButton = ({ isBusy, busyText, lacks, children }: SubmitButtonProps) => (
  <Button
    type="submit"
    size="lg"
    disabled={!useIsHydrated() || lacks !== undefined}
    aria-describedby={lacks}
    aria-disabled={isBusy}
    onClick={(event) => isBusy && event.preventDefault()}
  >
    {isBusy ? busyText : children}
  </Button>
);

type Props = {
  onSubmit: () => Promise<void>;
  failure: string | undefined;
  children: ReactNode;
};

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
