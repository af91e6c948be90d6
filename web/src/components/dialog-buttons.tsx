import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { SubmitButton } from "./submit-button.tsx";

type Props = { isBusy: boolean; action: string; busyAction: string; onCancel: () => void };

/** Below a form in a dialog: what sends it, and the way out. */
export const DialogButtons = ({ isBusy, action, busyAction, onCancel }: Props) => (
  <Flex gap="3" wrap="wrap">
    <SubmitButton isBusy={isBusy} busyText={busyAction}>
      {action}
    </SubmitButton>
    <Button size="lg" variant="outline" aria-disabled={isBusy} onClick={() => isBusy || onCancel()}>
      Cancel
    </Button>
  </Flex>
);
