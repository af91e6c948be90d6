import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { accounts } from "@vitaline/contract";
import { useState } from "react";
import { call } from "../../api/call.ts";
import { useToldAction } from "../../api/use-told-action.ts";
import type { useLaterFocus } from "../../app/use-later-focus.ts";
import { startView } from "../../app/view.ts";
import { Failure } from "../../components/failure.tsx";
import { Moment } from "../../components/moment.tsx";
import { DetailsForm } from "./details-form.tsx";
import type { Facts } from "./details-values.ts";
import type { Saving } from "./tenant-parts.tsx";
import { UsagePart } from "./usage-part.tsx";

type Props = Saving & { edit: ReturnType<typeof useLaterFocus<HTMLButtonElement>>; onInvite: () => void };

/** Who the organization is, and what can be done for it. Read-only until Edit is pressed. */
export const DetailsPart = ({ edit: { button, focusLater }, onInvite, ...saving }: Props) => {
  const { tenant } = saving;
  const [begun, setBegun] = useState<Facts>();
  const view = useToldAction(async () => {
    startView(await call(accounts.viewAs, { params: { tenantId: tenant.id } }));
    // The page goes away: until then the button stays busy, as each press opens a session.
    await new Promise(() => undefined);
  });
  const leave = () => {
    setBegun(undefined);
    focusLater();
  };
  return (
    <Stack gap="6">
      <Failure text={view.failure} />
      <Flex gap="2" wrap="wrap" align="center" justify="space-between">
        <chakra.p textStyle="sm" color="fg.muted">
          Created {tenant.createdAt ? <Moment at={tenant.createdAt} /> : "N/A"}
        </chakra.p>
        <Flex gap="2" wrap="wrap">
          <Button ref={button} size="sm" variant="outline" onClick={() => (begun ? leave() : setBegun(tenant))}>
            {begun ? "Cancel" : "Edit"}
            <VisuallyHidden>{begun ? " editing" : " details"}</VisuallyHidden>
          </Button>
          <Button size="sm" variant="outline" aria-haspopup="dialog" onClick={onInvite}>
            Invite tenant admin
          </Button>
          {tenant.isActive ? (
            <Button size="sm" variant="outline" aria-disabled={view.isBusy} onClick={() => view.run()}>
              {view.isBusy ? "Opening..." : "View as tenant"}
            </Button>
          ) : null}
        </Flex>
      </Flex>
      <DetailsForm
        key={begun ? `from ${begun.version}` : `of ${tenant.version}`}
        {...saving}
        begun={begun ?? tenant}
        isEditing={begun !== undefined}
        onTakeTheirs={() => setBegun(tenant)}
        onDone={leave}
      />
      <UsagePart tenantId={tenant.id} />
    </Stack>
  );
};
