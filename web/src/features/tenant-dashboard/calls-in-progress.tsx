import { Badge } from "@chakra-ui/react/badge";
import { Box } from "@chakra-ui/react/box";
import { Text } from "@chakra-ui/react/text";
import { type ResponseOf, tenantCalls, tenantOffices } from "@vitaline/contract";
import { useApi } from "../../lib/api/use-api.ts";
import { Loadable, ShortSkeleton } from "../../components/feedback/loadable.tsx";
import { DateTime } from "../../components/data/text.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { RowList, RowListItem } from "../../components/table/row-list.tsx";
import { formatClock, useZone } from "../../lib/format/times.ts";
import { callStatus } from "../calls/call-status.tsx";
import { platformNames } from "../../lib/format/labels.ts";

type CallInProgress = ResponseOf<typeof tenantCalls.callsInProgress>[number];

const shownCalls = 3;

/** Reads only on refresh. */
export const CallsInProgress = () => {
  const zone = useZone();
  const calls = useApi(tenantCalls.callsInProgress, {});
  const isAnyOfAnOffice = calls.data?.some(({ officeId }) => officeId !== null) ?? false;
  const offices = useApi(tenantOffices.officeCards, {}, { when: isAnyOfAnOffice });
  const nameOf = (id: string | null) => offices.data?.find((office) => office.id === id)?.name;
  return (
    <Panel title="In progress" description={calls.receivedAt ? `Calls at ${formatClock(calls.receivedAt, zone)}` : "Calls going on now"}>
      <Loadable loaded={calls} what="calls in progress" skeleton={<ShortSkeleton />}>
        {(list) =>
          list.length === 0 ? (
            <Text color="fg.muted">No calls in progress.</Text>
          ) : (
            <>
              <RowList label="Calls in progress">
                {list.slice(0, shownCalls).map((call) => (
                  <CallItem key={call.id} call={call} officeName={nameOf(call.officeId)} />
                ))}
              </RowList>
              {list.length > shownCalls ? (
                <Text textStyle="sm" color="fg.muted" mt="4">{`and ${list.length - shownCalls} more`}</Text>
              ) : null}
            </>
          )
        }
      </Loadable>
    </Panel>
  );
};

const directions = { inbound: "incoming", outbound: "outgoing" };

const CallItem = ({ call, officeName }: { call: CallInProgress; officeName: string | undefined }) => (
  <RowListItem>
    <Box minW="0">
      <Text fontWeight="semibold" overflowWrap="anywhere">
        {[platformNames[call.platform], call.direction && directions[call.direction]].filter(Boolean).join(", ")}
      </Text>
      <Text textStyle="sm" color="fg.muted">
        {officeName === undefined ? null : `${officeName}, `}
        since <DateTime at={call.createdAt} />
      </Text>
    </Box>
    <Badge colorPalette="blue" flexShrink="0">
      {callStatus(call.status).name}
    </Badge>
  </RowListItem>
);
