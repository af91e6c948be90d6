import { Button } from "@chakra-ui/react/button";
import type { Ref } from "react";
import { useInlineAction } from "../../lib/api/use-action.ts";

/** What an act on an account has led to. */
export const outcomes = {
  invited: "The invitation was resent. The previous link no longer works.",
  unlocked: "Failed sign-ins are reset: they can try again now.",
  restored: "They can sign in again.",
  removed: "They are signed out and can no longer sign in.",
} as const;

/** Acts on an account, one at a time. Each button clears what was said of the act before, also if it only opens a dialog. */
export const useActButtons = <Name extends string>(act: (name: Name) => Promise<void>, onBegin: () => void) => {
  const { run, isBusy, failure, clear } = useInlineAction(act);
  const button = (label: string, press: () => void, ref?: Ref<HTMLButtonElement>) => (
    <Button
      ref={ref}
      size="sm"
      variant="outline"
      aria-disabled={isBusy}
      onClick={() => {
        if (isBusy) return;
        onBegin();
        clear();
        press();
      }}
    >
      {label}
    </Button>
  );
  return { run, failure, button };
};
