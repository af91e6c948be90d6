import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { type Savings as SavingsData, tenantDashboard } from "@vitaline/contract";
import { useApi } from "../../../lib/api/use-api.ts";
import { BarList, type BarRow } from "../../../components/data/bar-list.tsx";
import { DetailList } from "../../../components/table/detail-list.tsx";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { Panel } from "../../../components/layout/panel.tsx";
import { TextLink } from "../../../components/layout/links.tsx";
import { formatAmount, formatDollars, formatHours } from "../../../lib/format/numbers.ts";
import type { AnalyticsFilter } from "../analytics/analytics-filter.ts";
import { AmountsButton, ChosenDays, Figure } from "./estimate-parts.tsx";
import { savingsPartNames, savingsParts } from "./savings-parts.ts";

export const Savings = ({ filter }: { filter: AnalyticsFilter }) => {
  const savings = useApi(tenantDashboard.savings, {});
  return (
    <Panel
      title="Cost Savings"
      description="An estimate for the last 30 days, all offices."
      actions={<AmountsButton>{buttonLabel(savings.data)}</AmountsButton>}
    >
      <Loadable loaded={savings} what="cost savings" skeleton={<RowSkeletons />}>
        {(data) => (
          <Stack gap="5">
            <SavingsFigures savings={data} />
            <ChosenDays
              filter={filter}
              name="Staff time saved"
              estimate={({ costSavings }) => formatDollars(costSavings.hoursAutomated * data.hourlyWage)}
              details={({ costSavings }) => [["Hours automated", formatHours(costSavings.hoursAutomated)]]}
            />
          </Stack>
        )}
      </Loadable>
    </Panel>
  );
};

const buttonLabel = (savings: SavingsData | undefined): string => {
  if (savings === undefined) return "Wage";
  return savings.isWageAssumed ? "Set wage" : "Change wage";
};

const SavingsFigures = ({ savings }: { savings: SavingsData }) => (
  <Stack gap="5">
    <Figure value={formatDollars(savings.monthlySavings)} caption="of staff time saved in a month" />
    <DetailList
      details={[
        ["A year at this rate", formatDollars(savings.annualProjection)],
        ["Saved per call", formatDollars(savings.savingsPerCall)],
        ["Hours automated", formatHours(savings.hoursAutomated)],
        ["Staff equivalent", `${formatAmount(savings.staffEquivalent)} full-time`],
      ]}
    />
    <BarList label="Where time is saved" rows={partsOf(savings)} />
    <Text textStyle="sm" color="fg.muted">
      {`Counted as hours of resolved calls × ${formatDollars(savings.hourlyWage)} an hour${savings.isWageAssumed ? ", which is assumed as no wage is set" : ""}. `}
      <TextLink to="?tab=system">More about cost savings</TextLink>
    </Text>
  </Stack>
);

const partsOf = ({ breakdown, monthlySavings }: SavingsData): BarRow[] =>
  savingsParts.map((part) => ({
    key: part,
    name: savingsPartNames[part],
    aside: formatDollars(breakdown[part]),
    bar: { label: savingsPartNames[part], value: breakdown[part], max: monthlySavings, text: formatDollars(breakdown[part]) },
  }));
