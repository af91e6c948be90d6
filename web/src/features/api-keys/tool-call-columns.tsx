import { Badge } from "@chakra-ui/react/badge";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import type { ToolRun } from "@vitaline/contract";
import { BreakableName, Moment } from "../../components/data/text.tsx";
import type { Column } from "../../components/table/data-table.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { formatMilliseconds } from "../../lib/format/numbers.ts";

/** One run of a tool, as a row. */
export const toolCallColumns: readonly Column<ToolRun>[] = [
  { title: "Time", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: "Tool", cell: ({ toolName }) => <BreakableName name={toolName} /> },
  { title: "Status", cell: (run) => <Status run={run} /> },
  { title: "Duration", isNumeric: true, cell: ({ ms }) => <chakra.span whiteSpace="nowrap">{formatMilliseconds(ms)}</chakra.span> },
  {
    title: "Call",
    cell: ({ callId }) => (
      <TextLink to={`?tab=analytics&call=${encodeURIComponent(callId)}`} title={callId} aria-label={`Call ${callId.slice(0, 8)}`}>
        {callId.slice(0, 8)}
      </TextLink>
    ),
  },
  {
    title: "Request ID",
    cell: ({ requestId }) => (
      <chakra.code fontFamily="mono" textStyle="xs" overflowWrap="anywhere">
        {requestId}
      </chakra.code>
    ),
  },
];

const Status = ({ run: { status, code } }: { run: ToolRun }) => (
  <Flex gap="2" align="center" wrap="wrap" justify={{ base: "flex-end", md: "flex-start" }}>
    <Badge colorPalette={status === "succeeded" ? "green" : "red"}>{status === "succeeded" ? "Success" : "Failed"}</Badge>
    {code === null ? null : <chakra.span color="fg.muted">{code.replaceAll("_", " ")}</chakra.span>}
  </Flex>
);
