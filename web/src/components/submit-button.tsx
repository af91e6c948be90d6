import { Button } from "@chakra-ui/react/button";
import type { ReactNode } from "react";
import { useIsAwake } from "../app/awake.ts";

type Props = {
  isBusy: boolean;
  /** Shown while the request is under way. */ busyText: string;
  /** The id of the sentence that says what has to be chosen first; nothing can be sent before. */ lacks?: string | undefined;
  children: ReactNode;
};

/**
 * Sends its form once at a time, and keeps the focus while it does. Disabled until the page is awake: the browser would
 * send a prerendered form by itself, with what was typed in the address.
 */
export const SubmitButton = ({ isBusy, busyText, lacks, children }: Props) => (
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
