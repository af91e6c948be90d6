import { Badge } from "@chakra-ui/react/badge";
import { Box } from "@chakra-ui/react/box";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { type Call, tenantDashboard } from "@vitaline/contract";
import PhoneOff from "lucide-react/dist/esm/icons/phone-off.mjs";
import { useApi } from "../../api/use-api.ts";
import { Empty } from "../../components/empty.tsx";
import { Loadable } from "../../components/loadable.tsx";
import { Panel } from "../../components/panel.tsx";
import { RowList, RowListItem } from "../../components/row-list.tsx";
import { RowSkeletons } from "../../components/row-skeletons.tsx";
import { formatCallMinutes, formatExactly, formatMoment } from "../../format/times.ts";
import { callStatus } from "./call-status.ts";

const shownCalls = 5;

export const RecentCalls = () => {
  const calls = useApi(tenantDashboard.recentCalls, { query: { limit: shownCalls } });
  return (
    <Panel title="Recent Calls" description="The 5 most recent calls">
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
                <RecentCall key={call.id} call={call} />
              ))}
            </RowList>
          )
        }
      </Loadable>
    </Panel>
  );
};

const RecentCall = ({ call }: { call: Call }) => {
  const { name, colorPalette } = callStatus(call.status);
  return (
    <RowListItem>
      <Flex align="center" gap="3" minW="0">
        <Box boxSize="2.5" borderRadius="full" bg={`${colorPalette}.border`} flexShrink="0" aria-hidden />
        <div>
          <Text fontWeight="semibold">{formatCallMinutes(call.duration)}</Text>
          <chakra.time display="block" textStyle="sm" color="fg.muted" dateTime={call.createdAt} title={formatExactly(call.createdAt)}>
            {formatMoment(call.createdAt)}
          </chakra.time>
        </div>
      </Flex>
      <Badge colorPalette={colorPalette}>{name}</Badge>
    </RowListItem>
  );
};
