import { Button } from "@chakra-ui/react/button";
import { type ChartDay, tenantDashboard } from "@vitaline/contract";
import ChartColumn from "lucide-react/dist/esm/icons/chart-column.mjs";
import Table2 from "lucide-react/dist/esm/icons/table-2.mjs";
import { chakra } from "@chakra-ui/react/styled-system";
import { Flex } from "@chakra-ui/react/flex";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Skeleton } from "@chakra-ui/react/skeleton";
import { lazy, Suspense } from "react";
import { useApi } from "../../../lib/api/use-api.ts";
import { useNavigate, useSearchParams } from "react-router-dom";
import { useSearchValue } from "../../../lib/routing/search-params.ts";
import { Empty } from "../../../components/feedback/empty.tsx";
import { Loadable } from "../../../components/feedback/loadable.tsx";
import { Panel } from "../../../components/layout/panel.tsx";
import { formatTimeZone, useZone } from "../../../lib/format/times.ts";
import { callsAddress, useToday } from "../page-range.ts";
import { CallsLink } from "../calls-link.tsx";
import type { AnalyticsFilter } from "./analytics-filter.ts";
import { callsOfDay, hasNoCalls, longDay, type Measure, measures, type Series } from "./day-measures.ts";
import { type Column, DataTable } from "../../../components/table/data-table.tsx";
import { useScrollStop } from "../../../lib/dom/scroll.ts";
import { formatCount } from "../../../lib/format/numbers.ts";
import { Announcement } from "../../../components/feedback/alerts.tsx";

export const DayPanel = ({ filter: { range, officeId } }: { filter: AnalyticsFilter }) => {
  const { query, name } = range.chart;
  const days = useApi(tenantDashboard.charts, { query: { ...query, officeId } });
  const zone = useZone();
  const today = useToday();
  const isOpenEnded = range.days === undefined || range.days.to === today;
  const [view, setView] = useSearchValue("days");
  const isTable = view === "table";
  const limits = range.value === "all" ? ", the longest range with daily figures" : "";
  return (
    <Panel
      title="Day by Day"
      description={`${name}${limits}. Days are in ${formatTimeZone(zone)}${isOpenEnded ? "; today is incomplete" : ""}. Choose a day to see its calls.`}
      actions={
        <Button variant="outline" size="sm" onClick={() => setView(isTable ? undefined : "table")}>
          {isTable ? <ChartColumn aria-hidden /> : <Table2 aria-hidden />}
          {isTable ? "View as charts" : "View as table"}
        </Button>
      }
    >
      <Loadable loaded={days} what="calls by day" skeleton={<ChartSkeletons />}>
        {(list) => {
          if (isTable) return <DayTable days={list} />;
          return hasNoCalls(list) ? (
            <Empty icon={ChartColumn} title="No calls on these days" description="Choose a longer time range, or another office." />
          ) : (
            <DayCharts days={list} />
          );
        }}
      </Loadable>
    </Panel>
  );
};

const ChartSkeletons = () => (
  <SimpleGrid columns={{ base: 1, lg: 2, "2xl": 4 }} gap="8" aria-hidden>
    {measures.map(({ title, isWide }) => (
      <Skeleton key={title} h={isWide ? "80" : "56"} gridColumn={isWide ? "1 / -1" : undefined} />
    ))}
  </SimpleGrid>
);

const columns: readonly Column<ChartDay>[] = [
  {
    title: "Day",
    cell: ({ date }) => (
      <CallsLink counted={callsOfDay(date)} aria-label={`${longDay(date)}: see its calls`} justifyContent="flex-end">
        <time dateTime={date}>{longDay(date)}</time>
      </CallsLink>
    ),
  },
  ...measures
    .flatMap(({ series }) => series)
    .map((series) => ({ title: series.name, cell: (day: ChartDay) => <DayCount day={day} series={series} />, isNumeric: true })),
];

const DayCount = ({ day, series: { key, name, counted } }: { day: ChartDay; series: Series }) => {
  const count = formatCount(day[key]);
  if (counted === undefined || day[key] === 0) return count;
  return (
    <CallsLink
      counted={callsOfDay(day.date, { counted })}
      aria-label={`${name} on ${longDay(day.date)}: ${count}, see these calls`}
      justifyContent="flex-end"
    >
      {count}
    </CallsLink>
  );
};

/** Newest day first, in a scrollable frame. */
const DayTable = ({ days }: { days: readonly ChartDay[] }) => {
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

const DayCharts = ({ days }: { days: ChartDay[] }) => (
  <Suspense
    fallback={
      <>
        <Announcement text="Loading charts..." />
        <ChartSkeletons />
      </>
    }
  >
    <SimpleGrid columns={{ base: 1, lg: 2, "2xl": 4 }} gap="8">
      {measures.map((measure) => (
        <Chart key={measure.title} measure={measure} days={days} />
      ))}
    </SimpleGrid>
  </Suspense>
);

const CallChart = lazy(() => import("./call-chart.tsx"));

const Chart = ({ measure, days }: { measure: Measure; days: ChartDay[] }) => {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const only = measure.series.length === 1 ? measure.series[0] : undefined;
  return (
    <chakra.div gridColumn={measure.isWide ? "1 / -1" : undefined} minW="0">
      <Flex justify="space-between" align="center" wrap="wrap" columnGap="5" rowGap="1" mb="3">
        <chakra.h3 textStyle="sm" fontWeight="semibold">
          {measure.title}
        </chakra.h3>
        {measure.series.length > 1 ? <ChartLegend series={measure.series} /> : null}
      </Flex>
      <CallChart measure={measure} days={days} onOpen={(day) => void navigate(callsAddress(search, callsOfDay(day, only)))} />
    </chakra.div>
  );
};

const ChartLegend = ({ series }: { series: readonly Series[] }) => (
  <chakra.ul listStyleType="none" display="flex" flexWrap="wrap" columnGap="5" rowGap="1" textStyle="sm" color="fg.muted">
    {series.map(({ key, name, look }) => (
      <chakra.li key={key} display="flex" alignItems="center" gap="2">
        <Sample look={look} />
        {name}
      </chakra.li>
    ))}
  </chakra.ul>
);

const Sample = ({ look }: Pick<Series, "look">) => (
  <chakra.svg viewBox="0 0 24 12" w="6" h="3" flexShrink="0" aria-hidden>
    {look === "column" ? (
      <chakra.rect x="5" y="0.5" width="14" height="11" rx="2" fill="teal.muted" stroke="teal.border" />
    ) : (
      <chakra.line
        x1="0"
        x2="24"
        y1="6"
        y2="6"
        strokeWidth="2"
        stroke={look === "line" ? "blue.solid" : "orange.solid"}
        strokeDasharray={look === "dashes" ? "5 4" : "none"}
      />
    )}
    {look === "line" ? <chakra.circle cx="12" cy="6" r="3" fill="blue.solid" /> : null}
  </chakra.svg>
);
