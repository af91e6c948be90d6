import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import { type Erasure, erasures } from "@vitaline/contract";
import { useState } from "react";
import { call } from "../../lib/api/call.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { announce } from "../../lib/toast.ts";
import { DialogFooter } from "../../components/dialog/dialog-footer.tsx";
import { Failure } from "../../components/feedback/notices.tsx";
import { isOvertaken, type PartProps, useErasureAct } from "./use-erasure.ts";
import { hasNotBegun, isDue } from "./erasure-format.tsx";
import { Confirmation } from "../../components/dialog/confirmation.tsx";
import { Effects } from "./erasure-effects.tsx";

const acts = {
  approve: { route: erasures.approveErasure, done: "Erasure approved" },
  cancel: { route: erasures.cancelErasure, done: "Erasure canceled" },
};
type Act = keyof typeof acts;

export const ErasureActions = ({ onMoved, ...part }: PartProps) => {
  const { erasure } = part;
  const { user } = useAuth();
  const [asked, setAsked] = useState<Act>();
  const leave = () => setAsked(undefined);
  const { run, isBusy, failure, forget } = useErasureAct(
    async (act: Act) => {
      part.take(await call(acts[act].route, { params: { erasureId: erasure.id } }));
      leave();
      onMoved();
      announce({ type: "success", title: acts[act].done });
    },
    part,
    // Another administrator was faster; the dialog reloads and shows the new state.
    (error) => {
      if (!isOvertaken(error)) return;
      leave();
      onMoved();
    },
  );
  const ask = (act: Act) => {
    forget();
    setAsked(act);
  };
  const told = asked === undefined ? <Failure text={failure} /> : null;
  if (!hasNotBegun(erasure) || isDue(erasure, part.now)) return told;
  const isOwn = erasure.requestedBy === user?.id;
  return (
    <>
      {told}
      <DialogFooter>
        {isOwn ? (
          <chakra.p textStyle="sm" color="fg.muted" flexBasis="full">
            You asked for this erasure, so a second administrator has to approve it.
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
      {asked === undefined ? null : (
        <ActQuestion act={asked} erasure={erasure} isBusy={isBusy} failure={failure} onConfirm={() => run(asked)} onCancel={leave} />
      )}
    </>
  );
};

type Props = {
  act: Act;
  erasure: Erasure;
  isBusy: boolean;
  failure: string | undefined;
  onConfirm: () => void;
  onCancel: () => void;
};

const ActQuestion = ({ act, erasure: { kind, tenantName }, ...asking }: Props) =>
  act === "approve" ? (
    <Confirmation title="Approve and erase now?" action="Approve and erase" busyAction="Approving..." isDangerous {...asking}>
      <Effects kind={kind} of={tenantName} />
    </Confirmation>
  ) : (
    <Confirmation title="Cancel this erasure?" action="Cancel erasure" busyAction="Canceling..." keep="Keep it" {...asking}>
      Nothing is erased. To erase the data later, request it again.
    </Confirmation>
  );
