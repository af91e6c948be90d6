import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { Tenant } from "@vitaline/contract";
import { useId } from "react";
import { LoadMore } from "./load-more.tsx";
import { SummaryRow, type SummaryLine } from "./recent-rows.tsx";
import { RowList } from "./row-list.tsx";
import { useSteps } from "./use-steps.ts";

type Group = { tenant: Tenant; lines: readonly SummaryLine[] };
type Props = {
  title: string;
  groups: readonly Group[];
  /** As on the button of a group. */ action: string;
  onOpen: (tenantId: string) => void;
};

const atOnce = 10;

const OneGroup = ({ group: { tenant, lines }, action, onOpen }: Pick<Props, "action" | "onOpen"> & { group: Group }) => (
  <chakra.div pt="4" borderTopWidth="1px" borderColor="border">
    <Flex justify="space-between" align="center" gap="3" mb="3">
      <chakra.h4 fontWeight="semibold" overflowWrap="anywhere" minW="0">
        {tenant.name}
      </chakra.h4>
      <Button size="sm" variant="outline" aria-haspopup="dialog" onClick={() => onOpen(tenant.id)}>
        {action}
        <VisuallyHidden>{` for ${tenant.name}`}</VisuallyHidden>
      </Button>
    </Flex>
    <RowList label={tenant.name}>
      {lines.map((line) => (
        <SummaryRow key={line.id} line={line} />
      ))}
    </RowList>
  </chakra.div>
);

/** Everything, organization by organization. */
export const TenantGroups = ({ title, groups, action, onOpen }: Props) => {
  const titleId = useId();
  const shown = useSteps(groups, undefined, atOnce);
  return (
    <chakra.section aria-labelledby={titleId}>
      <chakra.h3 id={titleId} fontWeight="semibold" mb="4">
        {title}
      </chakra.h3>
      <chakra.div display="flex" flexDirection="column" gap="7">
        {shown.data.map((group) => (
          <OneGroup key={group.tenant.id} group={group} action={action} onOpen={onOpen} />
        ))}
      </chakra.div>
      {groups.length > atOnce ? <LoadMore pages={shown} what="organizations" /> : null}
    </chakra.section>
  );
};
