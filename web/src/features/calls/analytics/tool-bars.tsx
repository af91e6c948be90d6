import { tenantDashboard, type ToolUsage } from "@vitaline/contract";
import Wrench from "lucide-react/dist/esm/icons/wrench.mjs";
import { useApi } from "../../../lib/api/use-api.ts";
import { BarList, type BarRow } from "../../../components/data/bar-list.tsx";
import { ToolName } from "../../../components/data/tool-name.tsx";
import { Empty } from "../../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { Panel } from "../../../components/layout/panel.tsx";
import { RateBadge } from "../../../components/data/badges.tsx";
import { formatPercent, formatUses } from "../../../lib/format/numbers.ts";
import { toolTitle } from "../../../lib/format/labels.ts";
import type { AnalyticsFilter } from "./analytics-filter.ts";

export const ToolBars = ({ filter: { range, officeId } }: { filter: AnalyticsFilter }) => {
  const usage = useApi(tenantDashboard.toolUsage, { query: { ...range.query, officeId } });
  return (
    <Panel title="Tool Usage Analytics" description={`${range.name}; each bar shows how many uses succeeded.`}>
      <Loadable loaded={usage} what="tool usage analytics" skeleton={<RowSkeletons />}>
        {(tools) =>
          tools.length === 0 ? (
            <Empty
              icon={Wrench}
              title="No tool usage data available"
              description="Tools appear here once a voice agent has used them in a call. Try a longer time range."
            />
          ) : (
            <BarList label="Tool usage" rows={tools.map(rowOf)} />
          )
        }
      </Loadable>
    </Panel>
  );
};

const rowOf = ({ toolName, count, successRate }: ToolUsage): BarRow => ({
  key: toolName,
  name: <ToolName name={toolName} />,
  aside: (
    <>
      <span>{formatUses(count)}</span>
      <RateBadge percent={successRate} />
    </>
  ),
  bar: {
    label: `${toolTitle(toolName)}, success rate`,
    value: successRate ?? 0,
    text: successRate === null ? "Not known" : `${formatPercent(successRate)} of ${formatUses(count)} succeeded`,
  },
});
