import { tenantDashboard } from "@vitaline/contract";
import PhoneOff from "lucide-react/dist/esm/icons/phone-off.mjs";
import { useApi } from "../../lib/api/use-api.ts";
import { ButtonLink } from "../../components/layout/links.tsx";
import { Empty } from "../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { RowList } from "../../components/table/row-list.tsx";
import { RecentCall } from "./recent-call.tsx";
import { useFollowUps } from "./use-follow-ups.ts";

const shownCalls = 5;

export const RecentCalls = () => {
  const calls = useApi(tenantDashboard.recentCalls, { query: { limit: shownCalls } });
  const followUps = useFollowUps();
  return (
    <Panel
      title="Recent Calls"
      description="The 5 most recent calls"
      actions={
        calls.data?.length ? (
          <ButtonLink to={{ search: "?tab=analytics" }} size="sm" variant="outline">
            All calls
          </ButtonLink>
        ) : undefined
      }
    >
      <Loadable loaded={calls} what="recent calls" skeleton={<RowSkeletons />}>
        {(list) =>
          list.length === 0 ? (
            <Empty
              icon={PhoneOff}
              title="No call data available"
              description="Calls appear here as soon as a voice platform makes its first request."
            />
          ) : (
            <RowList label="Recent calls">
              {list.slice(0, shownCalls).map((call) => (
                <RecentCall key={call.id} call={call} needsFollowUp={followUps.data?.some(({ id }) => id === call.id) ?? false} />
              ))}
            </RowList>
          )
        }
      </Loadable>
    </Panel>
  );
};
