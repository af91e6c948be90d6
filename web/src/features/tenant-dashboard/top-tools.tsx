import { Box } from "@chakra-ui/react/box";
import { Text } from "@chakra-ui/react/text";
import { tenantDashboard, type ToolUsage } from "@vitaline/contract";
import Wrench from "lucide-react/dist/esm/icons/wrench.mjs";
import { useApi } from "../../lib/api/use-api.ts";
import { ToolCode } from "../../components/data/tool-name.tsx";
import { Empty } from "../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { RateBadge } from "../../components/data/badges.tsx";
import { RowList, RowListItem } from "../../components/table/row-list.tsx";
import { CallsLink } from "../calls/calls-link.tsx";
import { formatUses } from "../../lib/format/numbers.ts";
import { rangeNames, toolTitle } from "../../lib/format/labels.ts";

/** Ties are ordered by name, so that the order is stable between refreshes. */
export const topTools = (usage: readonly ToolUsage[]): ToolUsage[] =>
  usage.toSorted((one, other) => other.count - one.count || one.toolName.localeCompare(other.toolName)).slice(0, 5);

/** The same range as the summary cards. */
const range = "30days";

export const TopTools = () => {
  const usage = useApi(tenantDashboard.toolUsage, { query: { range } });
  return (
    <Panel title="Top Tools" description={`The 5 tools used most · ${rangeNames[range]}`}>
      <Loadable loaded={usage} what="tool usage" skeleton={<RowSkeletons />}>
        {(list) =>
          list.length === 0 ? (
            <Empty
              icon={Wrench}
              title="No tool usage data available"
              description="Tools appear here once a voice agent has used them in a call."
            />
          ) : (
            <RowList label="Top tools">
              {topTools(list).map((tool) => (
                <TopTool key={tool.toolName} tool={tool} />
              ))}
            </RowList>
          )
        }
      </Loadable>
    </Panel>
  );
};

const TopTool = ({ tool: { toolName, count, successRate } }: { tool: ToolUsage }) => (
  <RowListItem>
    <Box minW="0">
      <Text fontWeight="semibold" overflowWrap="anywhere">
        {toolTitle(toolName)}
      </Text>
      <Text textStyle="sm" color="fg.muted">
        <ToolCode name={toolName} me="2" />{" "}
        <CallsLink counted={{ tool: toolName }} aria-label={`${formatUses(count)} of ${toolTitle(toolName)}: see the calls`}>
          {formatUses(count)}
        </CallsLink>
      </Text>
    </Box>
    <RateBadge percent={successRate} />
  </RowListItem>
);
