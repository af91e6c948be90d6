import { Button } from "@chakra-ui/react/button";
import { DialogFooter } from "./dialog-footer.tsx";
import { SubmitButton } from "./submit-button.tsx";

type Props = {
  isBusy: boolean;
  action: string;
  busyAction: string;
  /** The id of the sentence that says what has to be chosen first. */ lacks?: string | undefined;
  onCancel: () => void;
};

/** At the foot of a form in a dialog: what sends it, and the way out. */
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
