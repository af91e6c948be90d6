import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { tenantCalls, type ToolRun } from "@vitaline/contract";
import Wrench from "lucide-react/dist/esm/icons/wrench.mjs";
import { useState } from "react";
import { Badge } from "@chakra-ui/react/badge";
import { chakra } from "@chakra-ui/react/styled-system";
import { usePages } from "../../lib/api/use-pages.ts";
import { type Column, DataTable } from "../../components/table/data-table.tsx";
import { Empty } from "../../components/feedback/empty.tsx";
import { LoadMore } from "../../components/table/load-more.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { DateTime } from "../../components/data/text.tsx";
import { ToolName } from "../../components/data/tool-name.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { formatMilliseconds } from "../../lib/format/numbers.ts";
import { results } from "../../lib/format/labels.ts";

const toolCallColumns: readonly Column<ToolRun>[] = [
  { title: "Time", cell: ({ createdAt }) => <DateTime at={createdAt} /> },
  { title: "Tool", cell: ({ toolName }) => <ToolName name={toolName} /> },
  { title: "Status", cell: (run) => <Status run={run} /> },
  { title: "Duration", isNumeric: true, cell: ({ ms }) => <chakra.span whiteSpace="nowrap">{formatMilliseconds(ms)}</chakra.span> },
  {
    title: "Call",
    cell: ({ callId }) => (
      <TextLink to={`/tenant/calls?call=${encodeURIComponent(callId)}`} title={callId} aria-label={`Call ${callId.slice(0, 8)}`}>
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

const [readAtOnce, shownAtFirst] = [100, 10];

const ToolCallsPanel = () => {
  const runs = usePages(tenantCalls.listToolCalls, { query: { limit: readAtOnce } });
  const [isWhole, setIsWhole] = useState(false);
  return (
    <Panel title="Recent Tool Calls" description="Tool calls that voice platforms made with the key, newest first, without their content.">
      <Loadable loaded={runs} what="tool calls" skeleton={<RowSkeletons />}>
        {(list) =>
          list.length === 0 ? (
            <Empty
              icon={Wrench}
              title="No tool calls yet"
              description="They appear here as soon as a voice platform uses a tool with your key."
            />
          ) : (
            <>
              <DataTable
                caption="Tool calls, newest first"
                columns={toolCallColumns}
                rows={isWhole ? list : list.slice(0, shownAtFirst)}
                keyOf={({ id }) => id}
              />
              {isWhole || list.length <= shownAtFirst ? (
                <LoadMore pages={runs} what="tool calls" />
              ) : (
                <Flex justify="center" pt="4">
                  <Button variant="outline" size="sm" onClick={() => setIsWhole(true)}>
                    {`Show all ${list.length}`}
                  </Button>
                </Flex>
              )}
            </>
          )
        }
      </Loadable>
    </Panel>
  );
};

const Status = ({ run: { status, code } }: { run: ToolRun }) => (
  <Flex gap="2" align="center" wrap="wrap" justify={{ base: "flex-end", md: "flex-start" }}>
    <Badge colorPalette={results[status].palette}>{results[status].word}</Badge>
    {code === null ? null : <chakra.span color="fg.muted">{code.replaceAll("_", " ")}</chakra.span>}
  </Flex>
);

export default ToolCallsPanel;
