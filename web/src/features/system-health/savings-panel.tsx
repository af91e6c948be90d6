import { Badge } from "@chakra-ui/react/badge";
import { Heading } from "@chakra-ui/react/heading";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Skeleton } from "@chakra-ui/react/skeleton";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { type Savings, savingsShares, staffMonthHours, tenantDashboard } from "@vitaline/contract";
import { chakra } from "@chakra-ui/react/styled-system";
import { Flex } from "@chakra-ui/react/flex";
import { useMay } from "../../lib/session/may.ts";
import { useApi } from "../../lib/api/use-api.ts";
import { CheckList } from "../../components/layout/page-section.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { formatAmount, formatDollars, formatHours, formatPercent, formatHoursExactly } from "../../lib/format/numbers.ts";
import { Bar } from "../../components/data/bar-list.tsx";
import { savingsPartNames, savingsParts } from "../calls/estimates/savings-parts.ts";
import { Figure, Figures } from "./figure.tsx";

export const SavingsPanel = () => (
  <Panel
    title="Cost Savings Analytics"
    description="What resolved calls of the last 30 days would have cost in wages."
    actions={<Badge colorPalette="blue">Estimate</Badge>}
  >
    <Loadable loaded={useApi(tenantDashboard.savings, {})} what="cost savings" skeleton={<Placeholder />}>
      {(savings) => (
        <Stack gap="8">
          <SavingsFigures savings={savings} />
          <SimpleGrid columns={{ base: 1, lg: 2 }} columnGap="10" rowGap="8" alignItems="start">
            <SavingsBreakdown breakdown={savings.breakdown} />
            <SavingsAssumptions savings={savings} />
          </SimpleGrid>
          <EfficiencyClaims />
        </Stack>
      )}
    </Loadable>
  </Panel>
);

const Placeholder = () => (
  <Stack gap="8" aria-hidden>
    <Skeleton h="48" />
    <RowSkeletons />
  </Stack>
);

/** Below this, an annual projection is not meaningful. */
const minimumHours = 1;

const SavingsFigures = ({ savings }: { savings: Savings }) => (
  <Stack gap="4">
    <SavingsTotals savings={savings} />
    {savings.hoursAutomated < minimumHours ? (
      <Text textStyle="sm" color="fg.muted">
        Less than an hour of resolved calls in this period: too little to project a year.
      </Text>
    ) : null}
  </Stack>
);

const SavingsTotals = ({ savings }: { savings: Savings }) => (
  <Figures label="Cost savings">
    <Figure name="Hours Automated" value={formatHours(savings.hoursAutomated)}>
      {`${formatHoursExactly(savings.hoursAutomated)} in the last 30 days`}
    </Figure>
    <Figure name="Staff Equivalent" value={formatAmount(savings.staffEquivalent)}>
      Full-time staff
    </Figure>
    <Figure name="Monthly Savings" value={formatDollars(savings.monthlySavings)}>
      {`${formatDollars(savings.hourlyWage)} for each hour`}
    </Figure>
    <Figure name="Annual Projection" value={formatDollars(savings.annualProjection)}>
      If every month is like this one
    </Figure>
    <Figure name="Savings per Call" value={formatDollars(savings.savingsPerCall)}>
      Across all calls in this period
    </Figure>
    <Figure name="ROI" value={savings.roi === null ? "N/A" : formatPercent(savings.roi)}>
      {savings.roi === null ? "No plan with a price" : "Savings above the plan's price"}
    </Figure>
  </Figures>
);

const shares = savingsParts.map((part) => ({ part, name: savingsPartNames[part], percent: Math.round(savingsShares[part] * 100) }));

const SavingsBreakdown = ({ breakdown }: Pick<Savings, "breakdown">) => (
  <section>
    <Heading as="h3" size="md" mb="4">
      Savings Breakdown
    </Heading>
    <Stack as="ul" gap="4" listStyleType="none">
      {shares.map(({ part, name, percent }) => (
        <li key={part}>
          <Flex justify="space-between" gap="4" mb="1.5" textStyle="sm">
            <chakra.span fontWeight="medium">{name}</chakra.span>
            <chakra.span fontVariantNumeric="tabular-nums">
              {formatDollars(breakdown[part])}
              <chakra.span color="fg.muted">{` · ${percent}%`}</chakra.span>
            </chakra.span>
          </Flex>
          <Bar label={`${name}, part of the savings`} value={percent} />
        </li>
      ))}
    </Stack>
  </section>
);

const SavingsAssumptions = ({ savings: { hourlyWage, isWageAssumed, roi } }: { savings: Savings }) => {
  const mayChange = useMay("PUT /api/tenant/settings");
  return (
    <section>
      <Heading as="h3" size="md" mb="3">
        Assumptions
      </Heading>
      <chakra.ul textStyle="sm" color="fg.muted" ps="5" listStyleType="disc" display="grid" gap="2">
        <li>
          {isWageAssumed
            ? `Wage: ${formatDollars(hourlyWage)} per hour is assumed, as your organization has not set its own. `
            : `Wage: ${formatDollars(hourlyWage)} per hour, as your organization has set it. `}
          {mayChange ? (
            <TextLink to={{ search: "?tab=analytics" }}>{isWageAssumed ? "Set your hourly wage" : "Change your hourly wage"}</TextLink>
          ) : null}
        </li>
        <li>Hours automated: the minutes of calls of the last 30 days that were resolved without your staff.</li>
        <li>{`Staff equivalent: hours automated ÷ ${staffMonthHours} hours, one full-time month.`}</li>
        <li>Monthly savings: hours automated × wage. Annual projection: monthly savings × 12.</li>
        <li>Savings per call: monthly savings ÷ all calls of the last 30 days.</li>
        <li>
          {roi === null
            ? "ROI: (monthly savings − plan price) ÷ plan price. N/A, as there is no plan with a price."
            : "ROI: (monthly savings − plan price) ÷ plan price."}
        </li>
      </chakra.ul>
    </section>
  );
};

/** Statements about the product, not measurements. */
const efficiencyClaims = [
  "Calls are answered at any hour, even while the office is closed.",
  "Callers do not queue: several calls are taken at the same time.",
  "Patients are identified before anything in their record is shared.",
  "Appointments are written to your record system during the call.",
  "Calls that need a person reach your staff with the reason noted.",
] as const;

const EfficiencyClaims = () => (
  <section>
    <Heading as="h3" size="md">
      Efficiency
    </Heading>
    <Text textStyle="sm" color="fg.muted" mt="1" mb="4">
      General statements about the product, not measured for your organization.
    </Text>
    <CheckList items={efficiencyClaims} />
  </section>
);
