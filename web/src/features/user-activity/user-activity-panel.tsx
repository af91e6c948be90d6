import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { compliance, type UserActivity } from "@vitaline/contract";
import Users from "lucide-react/dist/esm/icons/users.mjs";
import { useApi } from "../../lib/api/use-api.ts";
import { StatList } from "../../components/data/stat-card.tsx";
import { Empty } from "../../components/feedback/empty.tsx";
import { LatestRows } from "../../components/table/latest-rows.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { DateTime } from "../../components/data/text.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { formatCount } from "../../lib/format/numbers.ts";

const UserActivityPanel = () => {
  const activity = useApi(compliance.userActivity, { query: { limit: 20 } });
  return (
    <Panel title="User Activity" description="Today's figures (UTC) and the last 20 user actions">
      <Loadable loaded={activity} what="user activity" failed="Failed to fetch user activity" skeleton={<RowSkeletons />}>
        {({ activeUsers, loginCount, failedLogins, recentActions }) => (
          <Stack gap="4">
            <StatList
              label="User activity in figures"
              counts={[
                { name: "Active Users", value: formatCount(activeUsers) },
                { name: "Logins Today", value: formatCount(loginCount) },
                { name: "Failed Logins", value: formatCount(failedLogins) },
              ]}
            />
            {recentActions.length === 0 ? (
              <Empty icon={Users} title="No recent actions" description="What people do on the platform appears here." />
            ) : (
              <LatestRows label="Recent actions" count={recentActions.length}>
                {recentActions.map((act) => (
                  <Act key={act.id} act={act} />
                ))}
              </LatestRows>
            )}
          </Stack>
        )}
      </Loadable>
    </Panel>
  );
};

const Act = ({ act: { description, actorName, actorId, timestamp } }: { act: UserActivity["recentActions"][number] }) => (
  <chakra.li py="2.5" borderColor="border.muted" _notFirst={{ borderTopWidth: "1px" }}>
    <chakra.div display="flex" gap="3" alignItems="baseline" justifyContent="space-between" flexWrap="wrap">
      <Text fontWeight="medium" overflowWrap="anywhere" minW="0">
        {actorName ?? actorId}
      </Text>
      <DateTime at={timestamp} textStyle="sm" color="fg.muted" />
    </chakra.div>
    <Text textStyle="sm" mt="1">
      {description}
    </Text>
  </chakra.li>
);

export default UserActivityPanel;
