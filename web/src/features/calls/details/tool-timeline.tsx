import { Badge } from "@chakra-ui/react/badge";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import type { CallDetail, ToolRun } from "@vitaline/contract";
import { useEffect, useRef } from "react";
import { useSearchParams } from "react-router-dom";
import { DateTime } from "../../../components/data/text.tsx";
import { ToolName } from "../../../components/data/tool-name.tsx";
import { formatMilliseconds } from "../../../lib/format/numbers.ts";
import { results } from "../../../lib/format/labels.ts";
import { formatExactly, useZone } from "../../../lib/format/times.ts";
import { formatOffset, offsetInCall } from "../call-format.ts";

/** The API's limit per call. */
const maxRuns = 500;

export const ToolTimeline = ({ call }: { call: CallDetail }) => {
  const [search] = useSearchParams();
  const meant = nearestRun(call.toolRuns, search.get("moment"));
  return call.toolRuns.length === 0 ? (
    <Text color="fg.muted">No tool ran in this call.</Text>
  ) : (
    <>
      <chakra.ol listStyleType="none" ps="1.5">
        {call.toolRuns.map((run) => (
          <Run key={run.id} call={call} run={run} isMeant={run === meant} />
        ))}
      </chakra.ol>
      {call.toolRuns.length < maxRuns ? null : <Text color="fg.muted">{`The first ${maxRuns} are shown.`}</Text>}
    </>
  );
};

/** What a run leaves for staff is recorded with it, at almost the same time. */
const nearestRun = (runs: readonly ToolRun[], moment: string | null): ToolRun | undefined => {
  const at = Date.parse(moment ?? "");
  if (Number.isNaN(at)) return undefined;
  const distance = ({ createdAt }: ToolRun): number => Math.abs(Date.parse(createdAt) - at);
  return runs.toSorted((one, other) => distance(one) - distance(other))[0];
};

const Run = ({ call, run, isMeant }: { call: CallDetail; run: ToolRun; isMeant: boolean }) => {
  const { palette, word } = results[run.status];
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isMeant) line.current?.scrollIntoView({ block: "center" });
  }, [isMeant]);
  return (
    <chakra.li
      ref={line}
      {...(isMeant && { "aria-current": "true" as const, bg: "bg.muted" })}
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
          <ToolName name={run.toolName} />
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
