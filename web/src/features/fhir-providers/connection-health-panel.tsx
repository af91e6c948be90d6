import { Stack } from "@chakra-ui/react/stack";
import { type FhirHealth, fhirProviders } from "@vitaline/contract";
import HeartPulse from "lucide-react/dist/esm/icons/heart-pulse.mjs";
import { useApi } from "../../api/use-api.ts";
import { Counts } from "../../components/counts.tsx";
import { Empty } from "../../components/empty.tsx";
import { Loadable } from "../../components/loadable.tsx";
import { LoadMore } from "../../components/load-more.tsx";
import { Panel } from "../../components/panel.tsx";
import { RowSkeletons } from "../../components/row-skeletons.tsx";
import { ScrollList } from "../../components/scroll-list.tsx";
import { useSteps } from "../../components/use-steps.ts";
import { formatCount } from "../../format/numbers.ts";
import { HealthRow } from "./health-row.tsx";
import { connectionLooks } from "./provider-names.ts";

const pollMilliseconds = 30_000;
/** So many are drawn at once. */
const atOnce = 25;
const statuses = ["healthy", "unhealthy", "unknown"] as const;

/** What needs somebody comes first. */
const rank: Record<FhirHealth["status"], number> = { unhealthy: 0, unknown: 1, healthy: 2 };
const inOrder = (providers: readonly FhirHealth[]): FhirHealth[] =>
  providers.toSorted((one, other) => rank[one.status] - rank[other.status]);

/** How many there are of each kind, and each of them. */
const HealthList = ({ providers, now }: { providers: readonly FhirHealth[]; now: Date }) => {
  const shown = useSteps(inOrder(providers), undefined, atOnce);
  return (
    <Stack gap="4">
      <Counts
        label="Connections in figures"
        counts={statuses.map((status) => ({
          name: connectionLooks[status].name,
          value: formatCount(providers.filter((one) => one.status === status).length),
        }))}
      />
      <ScrollList label="Connections" maxH="36rem">
        {shown.data.map((one) => (
          <HealthRow key={one.id} health={one} now={now} />
        ))}
      </ScrollList>
      {shown.hasMore ? <LoadMore pages={shown} what="connections" /> : null}
    </Stack>
  );
};

/** Whether the record systems answer; asked for again every half minute as long as the page is looked at. */
const ConnectionHealthPanel = () => {
  const health = useApi(fhirProviders.fhirHealthStatus, {}, { pollMilliseconds });
  return (
    <Panel title="Connection Health" description="What the last checks found. The platform checks every connection by itself.">
      <Loadable
        loaded={health}
        what="health status"
        loading="Checking connection health..."
        failed="Failed to fetch health status"
        skeleton={<RowSkeletons />}
      >
        {({ providers }) =>
          providers.length === 0 ? (
            <Empty
              icon={HeartPulse}
              title="No FHIR connections to monitor."
              description="They appear here once a FHIR provider is added."
            />
          ) : (
            <HealthList providers={providers} now={health.receivedAt ?? new Date(0)} />
          )
        }
      </Loadable>
    </Panel>
  );
};

export default ConnectionHealthPanel;
