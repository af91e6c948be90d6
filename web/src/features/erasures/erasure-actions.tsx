import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import { type Erasure, erasures } from "@vitaline/contract";
import { useState } from "react";
import { call } from "../../lib/api/call.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { announce } from "../../lib/toast.ts";
import { DialogFooter } from "../../components/dialog/dialog-footer.tsx";
import { Failure } from "../../components/feedback/alerts.tsx";
import { isConflict, type SectionProps, useErasureAction } from "./use-erasure.ts";
import { isWaiting, isDue } from "./erasure-format.tsx";
import { Confirmation } from "../../components/dialog/confirmation.tsx";
import { Effects } from "./erasure-effects.tsx";

const actions = {
  approve: { route: erasures.approveErasure, done: "Erasure approved" },
  cancel: { route: erasures.cancelErasure, done: "Erasure canceled" },
};
type Action = keyof typeof actions;

export const ErasureActions = ({ moveFocus, ...part }: SectionProps) => {
  const { erasure } = part;
  const { user } = useAuth();
  const [pending, setPending] = useState<Action>();
  const close = () => setPending(undefined);
  const { run, isBusy, failure, forget } = useErasureAction(
    async (act: Action) => {
      part.update(await call(actions[act].route, { params: { erasureId: erasure.id } }));
      close();
      moveFocus();
      announce({ type: "success", title: actions[act].done });
    },
    part,
    // Another administrator was faster; the dialog reloads and shows the new state.
    (error) => {
      if (!isConflict(error)) return;
      close();
      moveFocus();
    },
  );
  const ask = (act: Action) => {
    forget();
    setPending(act);
  };
  const failureNotice = pending === undefined ? <Failure text={failure} /> : null;
  if (!isWaiting(erasure) || isDue(erasure, part.now)) return failureNotice;
  const isOwn = erasure.requestedBy === user?.id;
  return (
    <>
      {failureNotice}
      <DialogFooter>
        {isOwn ? (
          <chakra.p textStyle="sm" color="fg.muted" flexBasis="full">
            You requested this erasure, so a second administrator has to approve it.
          </chakra.p>
        ) : null}
        {isOwn ? null : (
          <Button size="lg" colorPalette="red" aria-haspopup="dialog" onClick={() => ask("approve")}>
            Approve
          </Button>
        )}
        <Button size="lg" variant="outline" aria-haspopup="dialog" onClick={() => ask("cancel")}>
          Cancel erasure
        </Button>
      </DialogFooter>
      {pending === undefined ? null : (
        <ActionConfirmation
          act={pending}
          erasure={erasure}
          isBusy={isBusy}
          failure={failure}
          onConfirm={() => run(pending)}
          onCancel={close}
        />
      )}
    </>
  );
};

type Props = {
  act: Action;
  erasure: Erasure;
  isBusy: boolean;
  failure: string | undefined;
  onConfirm: () => void;
  onCancel: () => void;
};

const ActionConfirmation = ({ act, erasure: { kind, tenantName }, ...asking }: Props) =>
  act === "approve" ? (
    <Confirmation title="Approve and erase now?" action="Approve and erase" busyAction="Approving..." isDangerous {...asking}>
      <Effects kind={kind} of={tenantName} />
    </Confirmation>
  ) : (
    <Confirmation title="Cancel this erasure?" action="Cancel erasure" busyAction="Canceling..." keep="Keep it" {...asking}>
      Nothing is erased. To erase the data later, request it again.
    </Confirmation>
  );
