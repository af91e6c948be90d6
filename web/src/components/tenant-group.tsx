import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { Tenant } from "@vitaline/contract";
import { type ReactNode, useState } from "react";
import { Disclosure } from "./disclosure.tsx";

export type TenantGroup<Row> = { tenant: Tenant; data: readonly Row[] };

export type GroupActions<Row> = {
  /** So many of them, in words. */ countOf: (rows: readonly Row[]) => string;
  /** As on the button of a group. */ action: string;
  onOpen: (tenantId: string) => void;
  /** A group's rows, once it is open. */ children: (group: TenantGroup<Row>) => ReactNode;
};
type Props<Row> = GroupActions<Row> & { group: TenantGroup<Row>; /** There is no other, so it is open at first. */ isAlone: boolean };

/** What one organization has, behind a line that names it. */
export const OneTenantGroup = <Row,>({ group, isAlone, countOf, action, onOpen, children }: Props<Row>) => {
  const [wasOpened, setWasOpened] = useState(isAlone);
  const { tenant, data } = group;
  return (
    <chakra.li borderTopWidth="1px" borderColor="border.muted" py="1">
      <Disclosure
        title={tenant.name}
        isOpen={isAlone || wasOpened}
        aside={
          <chakra.span textStyle="sm" color="fg.muted" flexShrink="0">
            {countOf(data)}
          </chakra.span>
        }
        onOpen={() => setWasOpened(true)}
      >
        {wasOpened ? (
          <Stack gap="5" pt="3">
            {children(group)}
            <Button size="sm" variant="outline" alignSelf="flex-start" aria-haspopup="dialog" onClick={() => onOpen(tenant.id)}>
              {action}
              <VisuallyHidden>{` for ${tenant.name}`}</VisuallyHidden>
            </Button>
          </Stack>
        ) : null}
      </Disclosure>
    </chakra.li>
  );
};
