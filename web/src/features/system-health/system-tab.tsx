import { Stack } from "@chakra-ui/react/stack";
import { Flex } from "@chakra-ui/react/flex";
import { Skeleton } from "@chakra-ui/react/skeleton";
import { Text } from "@chakra-ui/react/text";
import { probeEveryMinutes, type SystemHealth, tenantHealth } from "@vitaline/contract";
import { Alert } from "@chakra-ui/react/alert";
import { SavingsPanel } from "./savings-panel.tsx";
import { type Loaded, useApi } from "../../lib/api/use-api.ts";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { formatClock, formatDay, formatExactly, useZone } from "../../lib/format/times.ts";
import { HealthBadge, HealthLists } from "./health-lists.tsx";
import { HealthFigures } from "./health-figures.tsx";
import { explain } from "../../lib/api/api-error.ts";

const SystemTab = () => (
  <Stack gap="panels">
    <HealthPanel />
    <SavingsPanel />
  </Stack>
);

const pollMilliseconds = 30_000;

const HealthPanel = () => {
  const loaded = useApi(tenantHealth.tenantSystemHealth, {}, { pollMilliseconds });
  return (
    <Panel
      title="System Health"
      description="The platform, your record system and your voice platforms."
      actions={loaded.data && <OverallStatus status={loaded.data.overallStatus} />}
    >
      <Stack gap="6">
        <StaleDataNotice loaded={loaded} />
        <Loadable loaded={loaded} what="system health" skeleton={<Placeholder />}>
          {(health) => (
            <>
              <MissingHealth />
              <HealthFigures health={health} />
              <HealthLists health={health} />
              <LastUpdated at={health.lastUpdated} />
            </>
          )}
        </Loadable>
      </Stack>
    </Panel>
  );
};

/** What counts in the overall status beside the checks. */
const MissingHealth = () => {
  const { data = [] } = useApi(tenantHealth.tenantNotices, {});
  const kinds = new Set(data.map(({ kind }) => kind));
  return (
    <>
      {kinds.has("no_record_system") ? <Counted text="A record system is missing, which counts in the overall status." /> : null}
      {kinds.has("tools_fail") ? (
        <Counted text="At least half of all tool runs failed yesterday and today, which counts in the overall status." />
      ) : null}
    </>
  );
};

const Counted = ({ text }: { text: string }) => (
  <Text textStyle="sm" color="orange.fg" fontWeight="medium">
    {text}
  </Text>
);

const OverallStatus = ({ status }: { status: string }) => (
  <Flex align="center" gap="2" textStyle="sm" color="fg.muted">
    Overall
    <HealthBadge status={status} />
  </Flex>
);

const StaleDataNotice = ({ loaded: { data, error, receivedAt } }: { loaded: Loaded<SystemHealth> }) => {
  const zone = useZone();
  if (data === undefined || error === undefined) return null;
  const known = receivedAt ? formatClock(receivedAt, zone) : "an earlier time";
  return (
    <Alert.Root status="warning" role="alert">
      <Alert.Description>{`The last refresh failed: ${explain(error)} Showing data from ${known}.`}</Alert.Description>
    </Alert.Root>
  );
};

const Placeholder = () => (
  <Stack gap="8" aria-hidden>
    <Skeleton h="32" />
    <RowSkeletons />
  </Stack>
);

const LastUpdated = ({ at }: { at: string | null }) => (
  <Text textStyle="sm" color="fg.muted">
    {"Last updated: "}
    {at === null ? "not yet" : <CheckedAt at={at} />}
    {`. Checked every ${probeEveryMinutes} minutes. Refreshes every 30 seconds.`}
  </Text>
);

const CheckedAt = ({ at }: { at: string }) => {
  const zone = useZone();
  return <time dateTime={at} title={formatExactly(at, zone)}>{`${formatDay(at, zone)}, ${formatClock(new Date(at), zone)}`}</time>;
};

export default SystemTab;
