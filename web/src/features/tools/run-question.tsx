import { Confirmation } from "../../components/dialog/confirmation.tsx";
import type { TestCallState } from "./use-test-call.ts";

/** Asks before a run that changes something, if one waits for that. */
export const RunQuestion = ({ testCall: { unconfirmed, isBusy, confirm, cancel } }: { testCall: TestCallState }) =>
  unconfirmed ? (
    <Confirmation
      title="Change it for real?"
      action="Run tool"
      busyAction="Running..."
      isBusy={isBusy}
      isDangerous
      onConfirm={confirm}
      onCancel={cancel}
    >
      {`With these arguments ${unconfirmed.name} changes something: the patient’s record, a message that is sent, or your lists of callers.`}
    </Confirmation>
  ) : null;
