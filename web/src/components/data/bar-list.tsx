import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import type { ComponentProps, ReactNode } from "react";

type Props = {
  label: string;
  value: number;
  max?: number;
  /** Defaults to the number. */
  text?: string;
  isOver?: boolean;
};

/** A progress bar; `value` may exceed `max`. */
export const Bar = ({ label, value, max = 100, text, isOver = false }: Props) => {
  const part = max <= 0 ? 0 : Math.min(100, Math.max(0, (value / max) * 100));
  return (
    <chakra.div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(part * 10) / 10}
      aria-valuetext={text}
      h="2"
      w="full"
      borderRadius="full"
      bg="bg.emphasized"
      overflow="hidden"
    >
      <chakra.div h="full" borderRadius="full" bg={isOver ? "orange.solid" : "teal.solid"} style={{ width: `${part}%` }} />
    </chakra.div>
  );
};

export type BarRow = {
  key: string;
  name: ReactNode;
  /** Shown at the end of the label's line. */
  aside: ReactNode;
  note?: ReactNode;
  bar: ComponentProps<typeof Bar>;
};

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
