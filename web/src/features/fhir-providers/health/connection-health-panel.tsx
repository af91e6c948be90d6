import { type FhirHealth, fhirProviders } from "@vitaline/contract";
import HeartPulse from "lucide-react/dist/esm/icons/heart-pulse.mjs";
import { useEffect, useRef, useState } from "react";
import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { useApi } from "../../../lib/api/use-api.ts";
import { Empty } from "../../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { Panel } from "../../../components/layout/panel.tsx";
import { useRefresh } from "../../../lib/api/use-refresh.ts";
import { StatList } from "../../../components/data/stat-card.tsx";
import { formatCount } from "../../../lib/format/numbers.ts";
import { HealthRow } from "./health-row.tsx";
import { connectionStatuses } from "../provider-format.ts";

const pollMilliseconds = 30_000;

const ConnectionHealthPanel = () => {
  const health = useApi(fhirProviders.fhirHealthStatus, {}, { pollMilliseconds });
  useRefreshOnStatusChange(health.data?.providers);
  return (
    <Panel title="Connection Health" description="Results of the last checks. The platform checks every enabled connection automatically.">
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
            <ConnectionHealthList providers={providers} now={health.receivedAt ?? new Date(0)} />
          )
        }
      </Loadable>
    </Panel>
  );
};

/** Refetches the provider list when a status changes, because both show it. */
const useRefreshOnStatusChange = (providers: readonly FhirHealth[] | undefined): void => {
  const refresh = useRefresh();
  const latest = useRef(refresh);
  useEffect(() => void (latest.current = refresh));
  const known = useRef<string>(undefined);
  const now = providers && statusesIn(providers);
  useEffect(() => {
    const isNew = known.current !== undefined && now !== undefined && known.current !== now;
    known.current = now ?? known.current;
    if (isNew) latest.current(fhirProviders.listFhirProviders).catch(() => undefined);
  }, [now]);
};

const statusesIn = (providers: readonly FhirHealth[]): string => providers.map(({ id, status }) => `${id} ${status}`).join();

const shownFirst = 5;
const statuses = ["healthy", "unhealthy", "unknown"] as const;

type Props = { providers: readonly FhirHealth[]; now: Date };

const ConnectionHealthList = ({ providers, now }: Props) => {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? byUrgency(providers) : byUrgency(providers).slice(0, shownFirst);
  return (
    <Stack gap="4">
      <StatList
        label="Connections in figures"
        counts={statuses.map((status) => ({
          name: connectionStatuses[status].name,
          value: formatCount(providers.filter((one) => one.status === status).length),
        }))}
      />
      <chakra.ul listStyleType="none" aria-label="Connections" my="-3">
        {shown.map((one) => (
          <HealthRow key={one.id} health={one} now={now} />
        ))}
      </chakra.ul>
      {providers.length <= shownFirst ? null : (
        <Button variant="outline" size="sm" alignSelf="flex-start" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? `Show the first ${shownFirst} only` : `Show all ${formatCount(providers.length)} connections`}
        </Button>
      )}
    </Stack>
  );
};

const rank: Record<FhirHealth["status"], number> = { unhealthy: 0, unknown: 1, healthy: 2 };

const byUrgency = (providers: readonly FhirHealth[]): FhirHealth[] =>
  providers.toSorted((one, other) => rank[one.status] - rank[other.status]);

export default ConnectionHealthPanel;
