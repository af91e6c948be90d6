import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import type { ComponentProps, ReactNode } from "react";
import { Bar } from "./bar.tsx";

export type BarRow = {
  key: string;
  name: ReactNode;
  /** Stands at the end of the name's line. */ aside: ReactNode;
  /** A line below the bar. */ note?: string;
  bar: ComponentProps<typeof Bar>;
};

/** Shares of a whole or of 100, one below the other. */
export const BarList = ({ label, rows }: { label: string; rows: readonly BarRow[] }) => (
  <chakra.ul listStyleType="none" aria-label={label} display="grid" gap="5">
    {rows.map(({ key, name, aside, note, bar }) => (
      <li key={key}>
        <Flex justify="space-between" align="center" gap="3" mb="2" minH="6">
          <chakra.span fontWeight="semibold" overflowWrap="anywhere" minW="0">
            {name}
          </chakra.span>
          <Flex align="center" gap="3" textStyle="sm" color="fg.muted" flexShrink="0">
            {aside}
          </Flex>
        </Flex>
        <Bar {...bar} />
        {note === undefined ? null : (
          <chakra.p textStyle="sm" color="fg.muted" mt="1.5">
            {note}
          </chakra.p>
        )}
      </li>
    ))}
  </chakra.ul>
);
