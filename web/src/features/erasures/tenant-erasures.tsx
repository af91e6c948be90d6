import { Button } from "@chakra-ui/react/button";
import { Skeleton } from "@chakra-ui/react/skeleton";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { type Erasure, erasures } from "@vitaline/contract";
import { useId } from "react";
import { useApi } from "../../lib/api/use-api.ts";
import { Loadable } from "../../components/feedback/loadable.tsx";
import { DateTime } from "../../components/data/text.tsx";
import { RowList, RowListItem } from "../../components/table/row-list.tsx";
import { ErasureBadge, isOpen, kindNames } from "./erasure-format.tsx";

export type ErasureHandlers = { ask: () => void; open: (erasureId: string) => void };

export const TenantErasures = ({ tenantId, ask, open }: ErasureHandlers & { tenantId: string }) => {
  const titleId = useId();
  const loaded = useApi(erasures.listErasures, { query: { tenantId } }, { fresh: true });
  const openOnes = (list: readonly Erasure[]) => list.filter((one) => one.tenantId === tenantId && isOpen(one));
  return (
    <chakra.section aria-labelledby={titleId} borderTopWidth="1px" borderColor="border" pt="5">
      <chakra.h3 id={titleId} fontWeight="semibold">
        Erase data
      </chakra.h3>
      <chakra.p textStyle="sm" color="fg.muted" mb="4">
        Permanently erase a call, a patient's data or the whole organization.
      </chakra.p>
      <Stack gap="4">
        <Loadable loaded={loaded} what="erasures" failed="Failed to fetch erasures" skeleton={<Skeleton h="7" />}>
          {(list) =>
            openOnes(list).length === 0 ? null : (
              <RowList label="Open erasures">
                {openOnes(list).map((erasure) => (
                  <Row key={erasure.id} erasure={erasure} onOpen={open} />
                ))}
              </RowList>
            )
          }
        </Loadable>
        <Button alignSelf="flex-start" size="sm" variant="outline" aria-haspopup="dialog" onClick={ask}>
          Erase data…
        </Button>
      </Stack>
    </chakra.section>
  );
};

const Row = ({ erasure: { id, kind, status, requestedAt }, onOpen }: { erasure: Erasure; onOpen: (id: string) => void }) => (
  <RowListItem>
    <chakra.div minW="0">
      <chakra.p fontWeight="semibold">{kindNames[kind]}</chakra.p>
      <chakra.p textStyle="sm" color="fg.muted">
        Requested <DateTime at={requestedAt} />
      </chakra.p>
    </chakra.div>
    <chakra.div display="flex" alignItems="center" gap="3" flexWrap="wrap" justifyContent="flex-end">
      <ErasureBadge status={status} />
      <Button size="sm" variant="outline" aria-haspopup="dialog" onClick={() => onOpen(id)}>
        Open
        <VisuallyHidden>{` erasure: ${kindNames[kind]}`}</VisuallyHidden>
      </Button>
    </chakra.div>
  </RowListItem>
);
