import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import { erasures } from "@vitaline/contract";
import { useState } from "react";
import { call } from "../../lib/api/call.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { announce } from "../../lib/toast.ts";
import { DialogFooter } from "../../components/dialog/dialog-footer.tsx";
import { Failure } from "../../components/feedback/notices.tsx";
import { ActQuestion } from "./act-question.tsx";
import type { PartProps } from "./erasure-dialog.tsx";
import { hasNotBegun, isDue } from "./erasure-words.ts";
import { isOvertaken, useErasureAct } from "./use-erasure-act.ts";

const acts = {
  approve: { route: erasures.approveErasure, done: "Erasure approved" },
  cancel: { route: erasures.cancelErasure, done: "Erasure canceled" },
};
export type Act = keyof typeof acts;

/** What can be done before it begins: to approve it, for a second administrator, and to cancel it. Each asks first. */
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
    // What another person has done is told in the dialog itself, which then shows it.
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
