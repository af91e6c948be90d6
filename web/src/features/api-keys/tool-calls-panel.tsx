import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { tenantCalls } from "@vitaline/contract";
import Wrench from "lucide-react/dist/esm/icons/wrench.mjs";
import { useState } from "react";
import { usePages } from "../../lib/api/use-pages.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { Empty } from "../../components/feedback/empty.tsx";
import { LoadMore } from "../../components/table/load-more.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { toolCallColumns } from "./tool-call-columns.tsx";

/** So many are read at once, and so many of them stand here until somebody wants the others. */
const [readAtOnce, shownAtFirst] = [100, 10];

/** What voice platforms asked for with the key, as it arrived. */
const ToolCallsPanel = () => {
  const runs = usePages(tenantCalls.listToolCalls, { query: { limit: readAtOnce } });
  const [isWhole, setIsWhole] = useState(false);
  return (
    <Panel title="Recent Tool Calls" description="What voice platforms asked for with the key, newest first; never what was said or found.">
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

export default ToolCallsPanel;
