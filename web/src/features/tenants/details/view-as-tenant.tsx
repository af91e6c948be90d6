import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import { accounts } from "@vitaline/contract";
import { useState } from "react";
import { call } from "../../../lib/api/call.ts";
import { useInlineAction } from "../../../lib/api/use-action.ts";
import { startView } from "../../../lib/session/tenant-view.ts";
import { Confirmation } from "../../../components/dialog/confirmation.tsx";
import { Failure } from "../../../components/feedback/alerts.tsx";

type Props = {
  tenantId: string;
  /** The dialog has unsaved input. */
  hasDrafts: boolean;
};

/** Leaves this page, so it asks first if the dialog has unsaved input. */
export const ViewAsTenant = ({ tenantId, hasDrafts }: Props) => {
  const [isAsking, setIsAsking] = useState(false);
  const { run, isBusy, failure } = useInlineAction(async () => {
    startView(await call(accounts.viewAs, { params: { tenantId } }));
    // The page is about to unload. The button stays busy because each press opens a session.
    await new Promise(() => undefined);
  });
  return (
    <>
      <Button size="sm" variant="outline" aria-disabled={isBusy} onClick={() => (hasDrafts ? setIsAsking(true) : run())}>
        {isBusy ? "Opening..." : "View as tenant"}
      </Button>
      {isAsking ? (
        <Confirmation
          title="Discard changes?"
          action="Discard and view as tenant"
          busyAction="Opening..."
          isBusy={isBusy}
          failure={failure}
          isDangerous
          onConfirm={() => run()}
          onCancel={() => setIsAsking(false)}
        >
          You have unsaved changes, and viewing as the tenant leaves this page.
        </Confirmation>
      ) : failure === undefined ? null : (
        <chakra.div order="1" flexBasis="full">
          <Failure text={failure} />
        </chakra.div>
      )}
    </>
  );
};
