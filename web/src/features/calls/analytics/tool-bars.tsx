import { tenantDashboard, type ToolUsage } from "@vitaline/contract";
import Wrench from "lucide-react/dist/esm/icons/wrench.mjs";
import { useApi } from "../../../lib/api/use-api.ts";
import { BarList, type BarRow } from "../../../components/data/bar-list.tsx";
import { ToolName } from "../../../components/data/tool-name.tsx";
import { Empty } from "../../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { Panel } from "../../../components/layout/panel.tsx";
import { RateBadge } from "../../../components/data/badges.tsx";
import { formatCount, formatPercent, formatUses } from "../../../lib/format/numbers.ts";
import { toolTitle } from "../../../lib/format/labels.ts";
import { CallsLink } from "../calls-link.tsx";
import type { AnalyticsFilter } from "./analytics-filter.ts";

export const ToolBars = ({ filter: { range, officeId } }: { filter: AnalyticsFilter }) => {
  const usage = useApi(tenantDashboard.toolUsage, { query: { ...range.query, officeId } });
  return (
    <Panel
      title="Tool Usage Analytics"
      description={`${range.name}; each bar shows how many uses succeeded. Choose a count to see the calls.`}
    >
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

/** 0 where the rate is unknown. */
const failedUses = ({ count, successRate }: Pick<ToolUsage, "count" | "successRate">): number =>
  successRate === null ? 0 : Math.max(0, Math.round(count * (1 - successRate / 100)));

const FailedUses = ({ toolName, failed }: { toolName: string; failed: number }) => (
  <CallsLink
    counted={{ failedTool: toolName }}
    aria-label={`${formatCount(failed)} failed ${failed === 1 ? "use" : "uses"} of ${toolTitle(toolName)}: see the calls`}
  >
    {`${formatCount(failed)} failed`}
  </CallsLink>
);

const rowOf = ({ toolName, count, successRate }: ToolUsage): BarRow => ({
  key: toolName,
  name: <ToolName name={toolName} />,
  aside: (
    <>
      <CallsLink counted={{ tool: toolName }} aria-label={`${formatUses(count)} of ${toolTitle(toolName)}: see the calls`}>
        {formatUses(count)}
      </CallsLink>
      <RateBadge percent={successRate} />
    </>
  ),
  note:
    failedUses({ count, successRate }) === 0 ? undefined : <FailedUses toolName={toolName} failed={failedUses({ count, successRate })} />,
  bar: {
    label: `${toolTitle(toolName)}, success rate`,
    value: successRate ?? 0,
    text: successRate === null ? "Not known" : `${formatPercent(successRate)} of ${formatUses(count)} succeeded`,
  },
});
