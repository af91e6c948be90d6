import { Badge } from "@chakra-ui/react/badge";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import type { CallDetail, ToolRun } from "@vitaline/contract";
import { BreakableName, DateTime } from "../../../components/data/text.tsx";
import { formatMilliseconds } from "../../../lib/format/numbers.ts";
import { results } from "../../../lib/format/results.ts";
import { formatExactly, useZone } from "../../../lib/format/times.ts";
import { formatOffset, offsetInCall } from "../call-format.ts";

/** The API's limit per call. */
const maxRuns = 500;

export const ToolTimeline = ({ call }: { call: CallDetail }) =>
  call.toolRuns.length === 0 ? (
    <Text color="fg.muted">No tool ran in this call.</Text>
  ) : (
    <>
      <chakra.ol listStyleType="none" ps="1.5">
        {call.toolRuns.map((run) => (
          <Run key={run.id} call={call} run={run} />
        ))}
      </chakra.ol>
      {call.toolRuns.length < maxRuns ? null : <Text color="fg.muted">{`The first ${maxRuns} are shown.`}</Text>}
    </>
  );

const Run = ({ call, run }: { call: CallDetail; run: ToolRun }) => {
  const { palette, word } = results[run.status];
  return (
    <chakra.li
      position="relative"
      ps="5"
      pb="4"
      borderStartWidth="2px"
      borderColor="border"
      _last={{ borderColor: "transparent", pb: "0" }}
    >
      <chakra.span position="absolute" insetStart="-6px" top="1.5" boxSize="2.5" borderRadius="full" bg={`${palette}.solid`} aria-hidden />
      <chakra.div display="flex" flexWrap="wrap" alignItems="center" columnGap="2" rowGap="1">
        <Text as="span" fontWeight="semibold" textStyle="sm" minW="0" overflowWrap="anywhere">
          <BreakableName name={run.toolName} />
        </Text>
        <Badge colorPalette={palette}>{word}</Badge>
      </chakra.div>
      <Text textStyle="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
        <At call={call} at={run.createdAt} />
        {` · ${formatMilliseconds(run.ms)}`}
        {run.code === null ? "" : ` · ${run.code}`}
      </Text>
      <Text textStyle="xs" color="fg.muted" overflowWrap="anywhere">{`Request ID: ${run.requestId}`}</Text>
    </chakra.li>
  );
};

const At = ({ call, at }: { call: CallDetail; at: string }) => {
  const zone = useZone();
  const seconds = offsetInCall(call, at);
  return seconds === undefined ? (
    <DateTime at={at} />
  ) : (
    <time dateTime={at} title={formatExactly(at, zone)}>
      {`at ${formatOffset(seconds)}`}
    </time>
  );
};
