import { Flex } from "@chakra-ui/react/flex";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Skeleton } from "@chakra-ui/react/skeleton";
import { chakra } from "@chakra-ui/react/styled-system";
import type { ChartDay } from "@vitaline/contract";
import { lazy, Suspense } from "react";
import { Announcement } from "../../components/feedback/notices.tsx";
import { ChartLegend } from "./chart-legend.tsx";
import { type Measure, measures } from "./day-measures.ts";

const CallChart = lazy(() => import("./call-chart.tsx"));

/** Hold the charts' places. */
export const ChartSkeletons = () => (
  <SimpleGrid columns={{ base: 1, lg: 2 }} gap="8" aria-hidden>
    {measures.map(({ title, isWide }) => (
      <Skeleton key={title} h={isWide ? "80" : "56"} gridColumn={isWide ? "1 / -1" : undefined} />
    ))}
  </SimpleGrid>
);

const Chart = ({ measure, days }: { measure: Measure; days: ChartDay[] }) => (
  <chakra.div gridColumn={measure.isWide ? "1 / -1" : undefined} minW="0">
    <Flex justify="space-between" align="center" wrap="wrap" columnGap="5" rowGap="1" mb="3">
      <chakra.h3 textStyle="sm" fontWeight="semibold">
        {measure.title}
      </chakra.h3>
      {measure.series.length > 1 ? <ChartLegend series={measure.series} /> : null}
    </Flex>
    <CallChart measure={measure} days={days} />
  </chakra.div>
);

/** The same days three times: how many calls and how they went, how long they took, what was booked. */
export const DayCharts = ({ days }: { days: ChartDay[] }) => (
  <Suspense
    fallback={
      <>
        <Announcement text="Loading charts..." />
        <ChartSkeletons />
      </>
    }
  >
    <SimpleGrid columns={{ base: 1, lg: 2 }} gap="8">
      {measures.map((measure) => (
        <Chart key={measure.title} measure={measure} days={days} />
      ))}
    </SimpleGrid>
  </Suspense>
);
