import type { Erasure } from "@vitaline/contract";
import { Confirmation } from "../../components/dialog/confirmation.tsx";
import { Effects } from "./effects.tsx";
import type { Act } from "./erasure-actions.tsx";

type Props = {
  act: Act;
  erasure: Erasure;
  isBusy: boolean;
  failure: string | undefined;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks before an erasure begins, or before it never does. */
export const ActQuestion = ({ act, erasure: { kind, tenantName }, ...asking }: Props) =>
  act === "approve" ? (
    <Confirmation title="Approve and erase now?" action="Approve and erase" busyAction="Approving..." isDangerous {...asking}>
      <Effects kind={kind} of={tenantName} />
    </Confirmation>
  ) : (
    <Confirmation title="Cancel this erasure?" action="Cancel erasure" busyAction="Canceling..." keep="Keep it" {...asking}>
      Nothing is erased. To erase the data later, ask for it again.
    </Confirmation>
  );
