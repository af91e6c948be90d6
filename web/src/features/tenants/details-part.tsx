import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { useState } from "react";
import type { useLaterFocus } from "../../lib/dom/use-later-focus.ts";
import { Moment } from "../../components/data/text.tsx";
import { type ErasureWays, TenantErasures } from "../erasures/tenant-erasures.tsx";
import { DetailsForm } from "./details-form.tsx";
import type { Facts } from "./details-values.ts";
import { TenantFacts } from "./tenant-facts.tsx";
import type { Saving } from "./tenant-parts.tsx";
import { UsagePart } from "./usage-part.tsx";
import { ViewAsTenant } from "./view-as-tenant.tsx";

type Props = Saving & {
  edit: ReturnType<typeof useLaterFocus<HTMLButtonElement>>;
  hasDrafts: boolean;
  onInvite: () => void;
  erasing: ErasureWays;
};

/** Who the organization is, and what can be done for it. There is a form only once Edit is pressed. */
export const DetailsPart = ({ edit: { button, focusLater }, hasDrafts, onInvite, erasing, ...saving }: Props) => {
  const { tenant } = saving;
  const [begun, setBegun] = useState<Facts>();
  const leave = () => {
    setBegun(undefined);
    focusLater();
  };
  return (
    <Stack gap="6">
      <Flex gap="2" wrap="wrap" align="center" justify="space-between">
        <chakra.p textStyle="sm" color="fg.muted">
          Created {tenant.createdAt ? <Moment at={tenant.createdAt} /> : "N/A"}
        </chakra.p>
        <Flex gap="2" wrap="wrap">
          <Button ref={button} size="sm" variant={begun ? "outline" : "solid"} onClick={() => (begun ? leave() : setBegun(tenant))}>
            {begun ? "Cancel" : "Edit"}
            <VisuallyHidden>{begun ? " editing" : " details"}</VisuallyHidden>
          </Button>
          <Button size="sm" variant="outline" aria-haspopup="dialog" onClick={onInvite}>
            Invite tenant admin
          </Button>
          {tenant.isActive ? <ViewAsTenant tenantId={tenant.id} hasDrafts={hasDrafts} /> : null}
        </Flex>
      </Flex>
      {begun ? (
        <DetailsForm key={begun.version} {...saving} begun={begun} onTakeTheirs={() => setBegun(tenant)} onDone={leave} />
      ) : (
        <>
          <TenantFacts tenant={tenant} />
          <UsagePart tenantId={tenant.id} />
          <TenantErasures tenantId={tenant.id} ask={erasing.ask} open={erasing.open} />
        </>
      )}
    </Stack>
  );
};
