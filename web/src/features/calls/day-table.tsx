import { chakra } from "@chakra-ui/react/styled-system";
import type { ChartDay } from "@vitaline/contract";
import { type Column, DataTable } from "../../components/table/data-table.tsx";
import { useScrollStop } from "../../lib/dom/scroll.ts";
import { formatCount } from "../../lib/format/numbers.ts";
import { longDay, measures } from "./day-measures.ts";

const columns: readonly Column<ChartDay>[] = [
  { title: "Day (UTC)", cell: ({ date }) => <time dateTime={date}>{longDay(date)}</time> },
  ...measures
    .flatMap(({ series }) => series)
    .map(({ key, name }) => ({ title: name, cell: (day: ChartDay) => formatCount(day[key]), isNumeric: true })),
];

/** What the charts draw, as numbers; the newest day first. Ninety days scroll by themselves, so that what follows is not far away. */
export const DayTable = ({ days }: { days: readonly ChartDay[] }) => {
  const { frame, isStop } = useScrollStop();
  return (
    <chakra.div
      ref={frame}
      maxH="xl"
      overflowY="auto"
      position="relative"
      pe="2"
      outline="0"
      focusVisibleRing="inside"
      {...(isStop && { role: "group", "aria-label": "Days", tabIndex: 0 })}
    >
      <DataTable caption="Calls by day" columns={columns} rows={days.toReversed()} keyOf={({ date }) => date} />
    </chakra.div>
  );
};
