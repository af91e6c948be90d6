import { type ListedCall, tenantCalls, tenantDashboard } from "@vitaline/contract";
import PhoneOff from "lucide-react/dist/esm/icons/phone-off.mjs";
import { Badge } from "@chakra-ui/react/badge";
import { Box } from "@chakra-ui/react/box";
import { Flex } from "@chakra-ui/react/flex";
import { useApi } from "../../lib/api/use-api.ts";
import { ButtonLink, TextLink } from "../../components/layout/links.tsx";
import { Empty } from "../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { RowList, RowListItem } from "../../components/table/row-list.tsx";
import { DateTime } from "../../components/data/text.tsx";
import { formatCallMinutes, formatMoment, useZone } from "../../lib/format/times.ts";
import { callStatus, LiveBadge } from "../calls/call-status.tsx";
import { CallLine } from "../calls/list/call-line.tsx";
import { useOfficeNames } from "../calls/office-names.ts";

const shownCalls = 5;

export const RecentCalls = () => {
  const calls = useApi(tenantDashboard.recentCalls, { query: { limit: shownCalls } });
  const offices = useOfficeNames(calls.data?.some(({ officeId }) => officeId !== null) ?? false);
  return (
    <Panel
      title="Recent Calls"
      description="The 5 most recent calls"
      actions={
        calls.data?.length ? (
          <ButtonLink to="/tenant/calls?range=all" size="sm" variant="outline">
            All calls
          </ButtonLink>
        ) : undefined
      }
    >
      <Loadable loaded={calls} what="recent calls" skeleton={<RowSkeletons />}>
        {(list) =>
          list.length === 0 ? (
            <Empty
              icon={PhoneOff}
              title="No call data available"
              description="Calls appear here as soon as a voice platform makes its first request."
            />
          ) : (
            <RowList label="Recent calls">
              {list.slice(0, shownCalls).map((call) => (
                <RecentCall key={call.id} call={call} offices={offices} />
              ))}
            </RowList>
          )
        }
      </Loadable>
    </Panel>
  );
};

/** The limit of one request. */
export const followUpLimit = 100;

export const useFollowUps = () => useApi(tenantCalls.listCalls, { query: { needsFollowUp: "true", limit: followUpLimit } });

const RecentCall = ({ call, offices }: { call: ListedCall; offices: ReadonlyMap<string, string> }) => {
  const zone = useZone();
  const { name, colorPalette } = callStatus(call.status);
  const length = formatCallMinutes(call.duration);
  return (
    <RowListItem>
      <Flex align="center" gap="3" minW="0">
        <Box boxSize="2.5" borderRadius="full" bg={`${colorPalette}.border`} flexShrink="0" aria-hidden />
        <Box minW="0">
          <TextLink
            to={`/tenant/calls?call=${call.id}`}
            variant="plain"
            fontWeight="semibold"
            aria-label={`${length}, ${formatMoment(call.createdAt, zone)}: open this call`}
          >
            {length}
          </TextLink>
          <DateTime at={call.createdAt} display="block" textStyle="sm" color="fg.muted" />
          <CallLine call={call} offices={offices} />
        </Box>
      </Flex>
      <Flex gap="2" wrap="wrap" justify="flex-end">
        <LiveBadge status={call.status} />
        {call.needsFollowUp ? <Badge colorPalette="orange">Needs follow-up</Badge> : null}
        <Badge colorPalette={colorPalette}>{name}</Badge>
      </Flex>
    </RowListItem>
  );
};
