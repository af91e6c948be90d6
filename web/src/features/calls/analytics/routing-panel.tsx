import { tenantDashboard } from "@vitaline/contract";
import PhoneForwarded from "lucide-react/dist/esm/icons/phone-forwarded.mjs";
import { useApi } from "../../../lib/api/use-api.ts";
import { BarList } from "../../../components/data/bar-list.tsx";
import { Empty } from "../../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { Panel } from "../../../components/layout/panel.tsx";
import { formatCount, formatPercent } from "../../../lib/format/numbers.ts";
import { CallsLink } from "../calls-link.tsx";
import type { AnalyticsFilter } from "./analytics-filter.ts";
import { groupByReason, reasonNames, type RoutedReason } from "./routing-reasons.ts";

export const RoutingPanel = ({ filter: { range, officeId } }: { filter: AnalyticsFilter }) => {
  const routing = useApi(tenantDashboard.routing, { query: { ...range.query, officeId } });
  return (
    <Panel
      title="Calls to Staff"
      description={`${range.name}; why callers needed a person, and the outcomes. Choose a count to see the calls.`}
    >
      <Loadable loaded={routing} what="calls to staff" skeleton={<RowSkeletons />}>
        {(counts) =>
          counts.length === 0 ? (
            <Empty
              icon={PhoneForwarded}
              title="No calls to staff"
              description="When a voice agent transfers a caller to staff, the reason is counted here."
            />
          ) : (
            <ReasonBars reasons={groupByReason(counts)} />
          )
        }
      </Loadable>
    </Panel>
  );
};

const ReasonBars = ({ reasons }: { reasons: readonly RoutedReason[] }) => {
  const all = reasons.reduce((sum, { count }) => sum + count, 0);
  return (
    <BarList
      label="Reasons for staff"
      rows={reasons.map(({ reason, count, outcomes }) => ({
        key: reason,
        name: reasonNames[reason],
        aside: (
          <span>
            <CallsLink counted={{ loggedReason: reason }} aria-label={`${formatCount(count)} for ${reasonNames[reason]}: see the calls`}>
              {formatCount(count)}
            </CallsLink>
            {` (${formatPercent((count / all) * 100)})`}
          </span>
        ),
        note: outcomes,
        bar: {
          label: `${reasonNames[reason]}, share of all`,
          value: count,
          max: all,
          text: `${formatCount(count)} of ${formatCount(all)}`,
        },
      }))}
    />
  );
};
