import { Flex } from "@chakra-ui/react/flex";
import { Heading } from "@chakra-ui/react/heading";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { type Savings, savingsShares } from "@vitaline/contract";
import { Bar } from "../../components/data/bar-list.tsx";
import { formatDollars } from "../../lib/format/numbers.ts";
import { savingsPartNames, savingsParts } from "../calls/savings-parts.ts";

const shares = savingsParts.map((part) => ({ part, name: savingsPartNames[part], percent: Math.round(savingsShares[part] * 100) }));

/** Which work the savings are counted to. */
export const SavingsBreakdown = ({ breakdown }: Pick<Savings, "breakdown">) => (
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
