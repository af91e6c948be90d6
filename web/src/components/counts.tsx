import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";

export type Count = { name: string; value: ReactNode; /** What it is made of, in a sentence. */ note?: ReactNode };

/** A few figures side by side, as names and values; as many a line as fit. */
export const Counts = ({ label, counts, leastWidth = "7.5rem" }: { label: string; counts: readonly Count[]; leastWidth?: string }) => (
  <chakra.dl
    aria-label={label}
    display="grid"
    gap="3"
    style={{ gridTemplateColumns: `repeat(auto-fit, minmax(min(100%, ${leastWidth}), 1fr))` }}
  >
    {counts.map(({ name, value, note }) => (
      <chakra.div key={name} px="4" py="3" borderWidth="1px" borderColor="border" borderRadius="l2" minW="0">
        <chakra.dt textStyle="sm" color="fg.muted">
          {name}
        </chakra.dt>
        <chakra.dd textStyle="2xl" fontWeight="semibold" fontVariantNumeric="tabular-nums">
          {value}
        </chakra.dd>
        {note === undefined ? null : (
          <chakra.dd textStyle="sm" color="fg.muted" mt="1">
            {note}
          </chakra.dd>
        )}
      </chakra.div>
    ))}
  </chakra.dl>
);
