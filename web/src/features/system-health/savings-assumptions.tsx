import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import { type Savings, staffMonthHours } from "@vitaline/contract";
import { TextLink } from "../../components/layout/links.tsx";
import { formatDollars } from "../../lib/format/numbers.ts";

/** What the figures rest on, so that everybody can do the sums again. */
export const SavingsAssumptions = ({ savings: { hourlyWage, isWageAssumed, roi } }: { savings: Savings }) => (
  <section>
    <Heading as="h3" size="md" mb="3">
      Assumptions
    </Heading>
    <chakra.ul textStyle="sm" color="fg.muted" ps="5" listStyleType="disc" display="grid" gap="2">
      <li>
        {isWageAssumed
          ? `Wage: ${formatDollars(hourlyWage)} per hour is assumed, as your organization has not set its own. `
          : `Wage: ${formatDollars(hourlyWage)} per hour, as your organization has set it. `}
        <TextLink to={{ search: "?tab=analytics" }}>{isWageAssumed ? "Set your hourly wage" : "Change your hourly wage"}</TextLink>
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
