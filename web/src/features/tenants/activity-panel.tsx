import { chakra } from "@chakra-ui/react/styled-system";
import { type Tenant, platformHealth, type TenantActivity } from "@vitaline/contract";
import { Text } from "@chakra-ui/react/text";
import { DateTime } from "../../components/data/text.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { type Column, DataTable } from "../../components/table/data-table.tsx";
import { LoadMore } from "../../components/table/load-more.tsx";
import { usePages } from "../../lib/api/use-pages.ts";
import { formatCount, formatPercent } from "../../lib/format/numbers.ts";
import { HealthBadge } from "../system-health/health-lists.tsx";

/** The tenants in the order of their list. */
const TenantActivityPanel = ({ tenants }: { tenants: readonly Tenant[] }) => {
  const pages = usePages(platformHealth.tenantActivity, {});
  const names = new Map(tenants.map(({ id, name }) => [id, name]));
  const columns: Column<TenantActivity>[] = [
    {
      title: "Organization",
      cell: ({ tenantId }) => (
        <TextLink to={{ search: `?tab=tenants&tenant=${tenantId}` }} overflowWrap="anywhere">
          {names.get(tenantId) ?? tenantId}
        </TextLink>
      ),
    },
    { title: "Calls", cell: ({ calls }) => formatCount(calls), isNumeric: true },
    { title: "Failed calls", cell: ({ failedCalls, calls }) => <Share part={failedCalls} whole={calls} />, isNumeric: true },
    {
      title: "Failed tool runs",
      cell: ({ failedToolRuns, toolRuns }) => <Share part={failedToolRuns} whole={toolRuns} />,
      isNumeric: true,
    },
    { title: "Record system", cell: ({ recordSystem }) => <RecordSystem status={recordSystem} /> },
    { title: "Voice platform", cell: ({ voicePlatform }) => <HealthBadge status={voicePlatform} /> },
    { title: "Minutes this month", cell: (row) => <Minutes {...row} />, isNumeric: true },
    { title: "Last call", cell: ({ lastCallAt }) => (lastCallAt === null ? "None" : <DateTime at={lastCallAt} />) },
  ];
  return (
    <Panel
      title="Activity and Health"
      description="Calls and tool runs of the last 7 days in each organization's time zone; minutes in the month in which a call was reported; connections as of the last check. Open an organization to view its calls as its administrators do, or to change it."
    >
      <Loadable loaded={pages} what="the tenants' activity" skeleton={<RowSkeletons />}>
        {(rows: TenantActivity[]) =>
          rows.length === 0 ? (
            <Text color="fg.muted">No organizations yet.</Text>
          ) : (
            <>
              <DataTable caption="Activity and health" columns={columns} rows={rows} keyOf={({ tenantId }) => tenantId} />
              <LoadMore pages={pages} what="organizations" />
            </>
          )
        }
      </Loadable>
    </Panel>
  );
};

/** Half or more stands out. */
const Share = ({ part, whole }: { part: number; whole: number }) => (
  <chakra.span
    color={part > 0 && part * 2 >= whole ? "orange.fg" : undefined}
    fontWeight={part > 0 && part * 2 >= whole ? "medium" : undefined}
  >
    {whole === 0 ? "None" : `${formatCount(part)} of ${formatCount(whole)} (${formatPercent((part / whole) * 100)})`}
  </chakra.span>
);

const RecordSystem = ({ status }: { status: TenantActivity["recordSystem"] }) =>
  status === "missing" ? (
    <chakra.span color="orange.fg" fontWeight="medium">
      Missing
    </chakra.span>
  ) : (
    <HealthBadge status={status} />
  );

const Minutes = ({ minutes, bundledMinutes }: TenantActivity) => (
  <chakra.span color={bundledMinutes !== null && minutes > bundledMinutes ? "orange.fg" : undefined}>
    {bundledMinutes === null ? formatCount(minutes) : `${formatCount(minutes)} of ${formatCount(bundledMinutes)}`}
  </chakra.span>
);

export default TenantActivityPanel;
