import { Stack } from "@chakra-ui/react/stack";
import { type HealthDay, platformHealth, type PlatformHealth } from "@vitaline/contract";
import { StatList } from "../../components/data/stat-card.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Disclosure } from "../../components/layout/disclosure.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { type Column, DataTable } from "../../components/table/data-table.tsx";
import { useApi } from "../../lib/api/use-api.ts";
import { formatCount, formatMilliseconds, formatPercent } from "../../lib/format/numbers.ts";
import { HealthFigures } from "./health-figures.tsx";
import { HealthBadge, HealthLists } from "./health-lists.tsx";

/** The platform's parts and all tenants' connections; read on opening and on refresh. */
const PlatformHealthPanel = () => {
  const loaded = useApi(platformHealth.platformSystemHealth, {});
  return (
    <Panel
      title="Platform Health"
      description="The platform's parts, and the connections of all organizations, as of the last check."
      actions={loaded.data && <HealthBadge status={loaded.data.overallStatus} />}
    >
      <Loadable loaded={loaded} what="platform health" skeleton={<RowSkeletons />}>
        {(health) => (
          <Stack gap="6">
            <HealthFigures health={health} />
            <Connections health={health} />
            <HealthLists health={health} />
            <Disclosure title="The last 30 days">
              <DataTable caption="Checks by day" columns={columns} rows={health.history.toReversed()} keyOf={({ date }) => date} />
            </Disclosure>
          </Stack>
        )}
      </Loadable>
    </Panel>
  );
};

type Counts = PlatformHealth["fhirProviders"];

const Connections = ({ health: { fhirProviders, voiceProviders } }: { health: PlatformHealth }) => (
  <StatList
    label="Connections"
    leastWidth="12rem"
    counts={[
      { name: "Record systems healthy", value: countOf(fhirProviders), note: noteOf(fhirProviders) },
      { name: "Voice platforms healthy", value: countOf(voiceProviders), note: noteOf(voiceProviders) },
    ]}
  />
);

const countOf = ({ healthy, warning, error, unknown }: Counts): string =>
  `${formatCount(healthy)} of ${formatCount(healthy + warning + error + unknown)}`;

const noteOf = ({ warning, error, unknown }: Counts): string =>
  `${formatCount(error)} down, ${formatCount(warning)} with a warning, ${formatCount(unknown)} unknown`;

const columns: readonly Column<HealthDay>[] = [
  { title: "Day (UTC)", cell: ({ date }) => <time dateTime={date}>{date}</time> },
  { title: "Checks", cell: ({ probes }) => formatCount(probes), isNumeric: true },
  {
    title: "Successful",
    cell: ({ probes, successful }) =>
      probes === 0 ? "None" : `${formatCount(successful)} (${formatPercent((successful / probes) * 100)})`,
    isNumeric: true,
  },
  { title: "API response time", cell: ({ averageMs }) => (averageMs === null ? "N/A" : formatMilliseconds(averageMs)), isNumeric: true },
];

export default PlatformHealthPanel;
