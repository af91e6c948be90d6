import { Badge } from "@chakra-ui/react/badge";
import { Box } from "@chakra-ui/react/box";
import { Flex } from "@chakra-ui/react/flex";
import type { Call } from "@vitaline/contract";
import { Moment } from "../../components/data/text.tsx";
import { RowListItem } from "../../components/table/row-list.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { formatCallMinutes, formatMoment, useZone } from "../../lib/format/times.ts";
import { callStatus } from "./call-status.ts";

/** One call: how long, when, and how it went; it leads to the call itself. */
export const RecentCall = ({ call, needsFollowUp }: { call: Call; needsFollowUp: boolean }) => {
  const zone = useZone();
  const { name, colorPalette } = callStatus(call.status);
  const length = formatCallMinutes(call.duration);
  return (
    <RowListItem>
      <Flex align="center" gap="3" minW="0">
        <Box boxSize="2.5" borderRadius="full" bg={`${colorPalette}.border`} flexShrink="0" aria-hidden />
        <div>
          <TextLink
            to={{ search: `?tab=analytics&call=${call.id}` }}
            variant="plain"
            fontWeight="semibold"
            aria-label={`${length}, ${formatMoment(call.createdAt, zone)}: open this call`}
          >
            {length}
          </TextLink>
          <Moment at={call.createdAt} display="block" textStyle="sm" color="fg.muted" />
        </div>
      </Flex>
      <Flex gap="2" wrap="wrap" justify="flex-end">
        {needsFollowUp ? <Badge colorPalette="orange">Needs follow-up</Badge> : null}
        <Badge colorPalette={colorPalette}>{name}</Badge>
      </Flex>
    </RowListItem>
  );
};
