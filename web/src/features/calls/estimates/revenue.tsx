import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { type CallMetrics, type Savings, tenant, tenantDashboard, type TenantSettings } from "@vitaline/contract";
import { useApi } from "../../../lib/api/use-api.ts";
import { DetailList } from "../../../components/table/detail-list.tsx";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { Panel } from "../../../components/layout/panel.tsx";
import { formatCount, formatDollars, formatPercent } from "../../../lib/format/numbers.ts";
import type { AnalyticsFilter } from "../analytics/analytics-filter.ts";
import { AmountsButton, ChosenDays, Figure } from "./estimate-parts.tsx";

export const Revenue = ({ filter }: { filter: AnalyticsFilter }) => {
  const savings = useApi(tenantDashboard.savings, {});
  // The same query, so that it shares the request of the dashboard's cards (last 30 days).
  const metrics = useApi(tenantDashboard.tenantMetrics, { query: { compare: "true" } });
  const settings = useApi(tenant.tenantSettings, {});
  return (
    <Panel
      title="Revenue Generation"
      description="An estimate for the last 30 days, all offices."
      actions={<AmountsButton>{buttonLabel(settings.data)}</AmountsButton>}
    >
      <Loadable loaded={savings} what="revenue" skeleton={<RowSkeletons />}>
        {({ revenue }) => (
          <Loadable loaded={metrics} what="booked appointments" skeleton={<RowSkeletons />}>
            {(data) => (
              <Loadable loaded={settings} what="the value of a visit" skeleton={<RowSkeletons />}>
                {({ averageVisitValue }) => (
                  <Stack gap="5">
                    <RevenueFigures metrics={data} revenue={revenue} visitValue={averageVisitValue} />
                    <ChosenRevenue filter={filter} visitValue={averageVisitValue} />
                  </Stack>
                )}
              </Loadable>
            )}
          </Loadable>
        )}
      </Loadable>
    </Panel>
  );
};

const buttonLabel = (settings: TenantSettings | undefined): string => {
  if (settings === undefined) return "Visit value";
  return settings.averageVisitValue === null ? "Set visit value" : "Change visit value";
};

type ChosenProps = { filter: AnalyticsFilter; visitValue: number | null };

const ChosenRevenue = ({ filter, visitValue }: ChosenProps) => (
  <ChosenDays
    filter={filter}
    {...(visitValue === null
      ? { name: "Appointments booked", estimate: ({ revenueEvents }) => formatCount(revenueEvents), details: () => [] }
      : {
          name: "Revenue",
          estimate: ({ revenueEvents }) => formatDollars(revenueEvents * visitValue),
          details: ({ revenueEvents }) => [["Appointments booked", formatCount(revenueEvents)]],
        })}
  />
);

type FiguresProps = { metrics: CallMetrics; revenue: Savings["revenue"]; visitValue: number | null };

const RevenueFigures = ({ metrics: { totalCalls, revenueEvents }, revenue, visitValue }: FiguresProps) => (
  <Stack gap="5">
    {revenue === null ? (
      <Figure value={formatCount(revenueEvents)} caption="appointments booked by voice agents" />
    ) : (
      <Figure value={formatDollars(revenue)} caption="brought in by booked appointments" />
    )}
    <DetailList
      details={[
        ["Appointments booked", revenue === null ? undefined : formatCount(revenueEvents)],
        ["Calls", formatCount(totalCalls)],
        ["Booked per call", totalCalls === 0 ? "N/A" : formatPercent((revenueEvents / totalCalls) * 100)],
        ["Value of a visit", visitValue === null ? "Not set" : formatDollars(visitValue)],
      ]}
    />
    <Text textStyle="sm" color="fg.muted">
      {revenue === null
        ? "Set the average value of a visit to estimate the revenue of these appointments."
        : "Appointments booked × value of a visit. It does not account for missed appointments."}
    </Text>
  </Stack>
);
