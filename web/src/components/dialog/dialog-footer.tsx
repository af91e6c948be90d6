import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";
import { Button } from "@chakra-ui/react/button";
import { footerRoom, highEnough } from "./dialog.tsx";
import { SubmitButton } from "../form/form-frame.tsx";

type Props = {
  isBusy: boolean;
  action: string;
  busyAction: string;
  /** The id of the text that lists missing input. */
  lacks?: string | undefined;
  onCancel: () => void;
};

export const DialogButtons = ({ isBusy, action, busyAction, lacks, onCancel }: Props) => (
  <DialogFooter>
    <SubmitButton isBusy={isBusy} busyText={busyAction} lacks={lacks}>
      {action}
    </SubmitButton>
    <Button size="lg" variant="outline" aria-disabled={isBusy} onClick={() => isBusy || onCancel()}>
      Cancel
    </Button>
  </DialogFooter>
);

/**
 * The buttons of a form in a dialog. They stick to the bottom of the dialog unless the window is too low. The shadow covers the
 * dialog's own padding below.
 */
export const DialogFooter = ({ children }: { children: ReactNode }) => (
  <chakra.div
    data-dialog-footer
    display="flex"
    flexWrap="wrap"
    alignItems="center"
    gap="3"
    bg="bg.panel"
    borderTopWidth="1px"
    borderColor="border"
    mx={{ base: "-4", sm: "-6" }}
    px={{ base: "4", sm: "6" }}
    pt="4"
    css={{
      [`@media ${highEnough}`]: { position: "sticky", bottom: "0", zIndex: "docked", boxShadow: "0 1.25rem {colors.bg.panel}" },
      "& :is(button, a)": { scrollMarginBottom: `-${footerRoom}` },
    }}
  >
    {children}
  </chakra.div>
);
