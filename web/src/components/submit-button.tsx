import { Button } from "@chakra-ui/react/button";
import type { ReactNode } from "react";
import { useIsAwake } from "../app/awake.ts";

type Props = { isBusy: boolean; /** Shown while the request is under way. */ busyText: string; children: ReactNode };

/**
 * Sends its form once at a time, and keeps the focus while it does. Disabled until the page is awake: the browser would
 * send a prerendered form by itself, with what was typed in the address.
 */
export const SubmitButton = ({ isBusy, busyText, children }: Props) => (
  <Button type="submit" size="lg" disabled={!useIsAwake()} aria-disabled={isBusy} onClick={(event) => isBusy && event.preventDefault()}>
    {isBusy ? busyText : children}
  </Button>
);
