import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import type { Savings } from "@vitaline/contract";
import { formatAmount, formatDollars, formatHours, formatPercent, hoursInWords } from "../../lib/format/numbers.ts";
import { Figure, Figures } from "./figure.tsx";

/** From fewer hours than that a year says little. */
const enoughHours = 1;

const SixFigures = ({ savings }: { savings: Savings }) => (
  <Figures label="Cost savings">
    <Figure name="Hours Automated" value={formatHours(savings.hoursAutomated)}>
      {`${hoursInWords(savings.hoursAutomated)} in the last 30 days`}
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
      Of all calls of these days
    </Figure>
    <Figure name="ROI" value={savings.roi === null ? "N/A" : formatPercent(savings.roi)}>
      {savings.roi === null ? "No plan with a price" : "Savings above the plan's price"}
    </Figure>
  </Figures>
);

/** What resolved calls are worth in hours and dollars, and a word of caution while there are few. */
export const SavingsFigures = ({ savings }: { savings: Savings }) => (
  <Stack gap="4">
    <SixFigures savings={savings} />
    {savings.hoursAutomated < enoughHours ? (
      <Text textStyle="sm" color="fg.muted">
        Less than an hour of calls was resolved in these days: too little to project a year from.
      </Text>
    ) : null}
  </Stack>
);
