import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";

/** Omits rows whose value is undefined. */
export const DetailList = ({ details }: { details: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <chakra.dl
    display="grid"
    gridTemplateColumns={{ base: "minmax(0, 1fr)", sm: "fit-content(60%) minmax(0, 1fr)" }}
    columnGap="6"
    rowGap={{ base: "1", sm: "2.5" }}
    textStyle="sm"
  >
    {details
      .filter(([, value]) => value !== undefined)
      .map(([name, value], at) => (
        // Names may repeat.
        <chakra.div key={`${at} ${name}`} display="contents">
          <chakra.dt color="fg.muted" overflowWrap="anywhere" minW={{ base: "0", sm: "8rem" }}>
            {name}
          </chakra.dt>
          <chakra.dd overflowWrap="anywhere" mb={{ base: "2", sm: "0" }} minW="0">
            {value}
          </chakra.dd>
        </chakra.div>
      ))}
  </chakra.dl>
);
