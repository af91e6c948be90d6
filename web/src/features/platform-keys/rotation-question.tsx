import { Confirmation } from "../../components/dialog/confirmation.tsx";
import { useGeneration } from "./use-generation.ts";

/** Asks before another key takes over. */
export const RotationQuestion = ({ onClose }: { onClose: () => void }) => {
  const { run, isBusy, failure } = useGeneration(onClose);
  return (
    <Confirmation
      title="Rotate Keys"
      action="Rotate Keys"
      busyAction="Generating..."
      isBusy={isBusy}
      failure={failure}
      onConfirm={run}
      onCancel={onClose}
    >
      A new key pair is generated and published at once. It begins to sign in two hours, when EHR systems have fetched it. The present key
      stays published two hours longer, so that nothing it signed is refused. No EHR has to be set up anew.
    </Confirmation>
  );
};
