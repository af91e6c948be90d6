import { Stack } from "@chakra-ui/react/stack";
import { type AuditDashboard, platformAudit } from "@vitaline/contract";
import ScrollText from "lucide-react/dist/esm/icons/scroll-text.mjs";
import type { ReactNode } from "react";
import { Badge } from "@chakra-ui/react/badge";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { useApi } from "../../lib/api/use-api.ts";
import { StatList } from "../../components/data/stat-card.tsx";
import { Empty } from "../../components/feedback/empty.tsx";
import { LatestRows } from "../../components/table/latest-rows.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { formatCount } from "../../lib/format/numbers.ts";
import { DateTime } from "../../components/data/text.tsx";

type Log = AuditDashboard["logs"][number];

const PlatformActivityPanel = ({ actions }: { actions?: ReactNode }) => {
  const activity = useApi(platformAudit.auditDashboard, { query: { limit: 20 } });
  return (
    <Panel title="Audit Logs" description="Days are UTC; a week is today and the six days before" actions={actions}>
      <Loadable loaded={activity} what="audit logs" failed="Failed to fetch audit logs" skeleton={<RowSkeletons />}>
        {({ logs, todayCount, weekCount, securityEvents, failedAttempts }) => (
          <Stack gap="4">
            <StatList
              label="Audit events in figures"
              leastWidth="6.5rem"
              counts={[
                { name: "Today", value: formatCount(todayCount) },
                { name: "This Week", value: formatCount(weekCount) },
                { name: "Security Events", value: formatCount(securityEvents) },
                { name: "Failed Access", value: formatCount(failedAttempts) },
              ]}
            />
            <Recent logs={logs} />
          </Stack>
        )}
      </Loadable>
    </Panel>
  );
};

const Recent = ({ logs }: { logs: readonly Log[] }) =>
  logs.length === 0 ? (
    <Empty icon={ScrollText} title="No audit logs available." description="Activity on the platform appears here." />
  ) : (
    <LatestRows label="Recent activity" count={logs.length}>
      {logs.map((log) => (
        <LogItem key={log.id} log={log} />
      ))}
    </LatestRows>
  );

const palettes: Record<Log["level"], string> = { INFO: "gray", WARN: "orange", ERROR: "red" };

const LogItem = ({ log: { action, actorName, description, level, timestamp } }: { log: Log }) => (
  <chakra.li py="2.5" borderColor="border.muted" _notFirst={{ borderTopWidth: "1px" }}>
    <chakra.div display="flex" gap="2" alignItems="center" justifyContent="space-between" flexWrap="wrap">
      <Badge colorPalette={palettes[level]} variant={level === "ERROR" ? "solid" : "subtle"} overflowWrap="anywhere" whiteSpace="normal">
        {action}
      </Badge>
      <DateTime at={timestamp} textStyle="sm" color="fg.muted" />
    </chakra.div>
    <Flex textStyle="sm" mt="1" columnGap="2" wrap="wrap">
      {actorName === undefined ? null : (
        <Text as="span" fontWeight="medium" overflowWrap="anywhere" minW="0">
          {actorName}
        </Text>
      )}
      <Text as="span" color="fg.muted">
        {description}
      </Text>
    </Flex>
  </chakra.li>
);

export default PlatformActivityPanel;
