import { chakra } from "@chakra-ui/react/styled-system";
import type { ChartDay } from "@vitaline/contract";
import { formatCount } from "../../lib/format/numbers.ts";
import { type Measure, shortDay } from "./day-measures.ts";

type Props = {
  active: boolean;
  /** What the drawing library has at the pointer; each entry has the whole day. */ payload: readonly { payload?: ChartDay }[];
  measure: Measure;
};

/** The numbers of the day that the pointer is at. */
export const DayTip = ({ active, payload, measure: { series } }: Props) => {
  const day = payload[0]?.payload;
  if (!active || !day) return null;
  return (
    <chakra.div bg="bg.panel" borderWidth="1px" borderColor="border" borderRadius="l2" boxShadow="lg" px="3" py="2" textStyle="sm">
      <chakra.p fontWeight="semibold">{`${shortDay(day.date)} (UTC)`}</chakra.p>
      {series.map(({ key, name }) => (
        <chakra.p key={key} color="fg.muted">{`${name}: ${formatCount(day[key])}`}</chakra.p>
      ))}
    </chakra.div>
  );
};
