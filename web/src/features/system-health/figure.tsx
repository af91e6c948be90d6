import { chakra } from "@chakra-ui/react/styled-system";
import type { ReactNode } from "react";

export const Figures = ({ label, children }: { label: string; children: ReactNode }) => (
  <chakra.dl
    aria-label={label}
    display="grid"
    gap="3"
    gridTemplateColumns={{ base: "1fr", sm: "repeat(2, minmax(0, 1fr))", lg: "repeat(3, minmax(0, 1fr))" }}
  >
    {children}
  </chakra.dl>
);

export const NoData = () => (
  <chakra.span textStyle="md" fontWeight="medium" color="fg.muted">
    No data yet
  </chakra.span>
);

type Props = { name: string; value: ReactNode; children?: ReactNode };

export const Figure = ({ name, value, children }: Props) => (
  <chakra.div p="4" borderWidth="1px" borderColor="border" borderRadius="l2" minW="0">
    <chakra.dt textStyle="sm" fontWeight="medium" color="fg.muted">
      {name}
    </chakra.dt>
    <chakra.dd textStyle="2xl" fontWeight="semibold" fontVariantNumeric="tabular-nums" minH="8" mt="1">
      {value}
    </chakra.dd>
    {children === undefined ? null : (
      <chakra.dd textStyle="sm" color="fg.muted" mt="2" display="flex" flexDirection="column" gap="2">
        {children}
      </chakra.dd>
    )}
  </chakra.div>
);
