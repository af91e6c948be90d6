import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { ChartDay } from "@vitaline/contract";
import { Bar, CartesianGrid, ComposedChart, Line, Tooltip, XAxis, YAxis } from "recharts";
import { type Measure, describeDays, type Series, shortDay } from "./day-measures.ts";
import { formatCount } from "../../../lib/format/numbers.ts";

const tick = { fill: "var(--chart-text)", fontSize: 12 };
const noAnimation = { isAnimationActive: false };

/** Chakra color tokens as CSS variables, for Recharts. */
const chartStyles = {
  "& text": { fontSize: "xs" },
  "--chart-text": "colors.fg.muted",
  "--chart-grid": "colors.border",
  "--chart-edge": "colors.teal.border",
  "--chart-column": "colors.teal.muted",
  "--chart-line": "colors.blue.solid",
  "--chart-dashes": "colors.orange.solid",
  "--chart-cursor": "colors.bg.muted",
};

type ChartProps = { measure: Measure; days: ChartDay[]; onOpen: (day: string) => void };

const CallChart = ({ measure, days, onOpen }: ChartProps) => (
  <chakra.figure>
    <VisuallyHidden asChild>
      <figcaption>{describeDays(measure, days)}</figcaption>
    </VisuallyHidden>
    <chakra.div aria-hidden h={measure.isWide ? "64" : "48"} css={chartStyles}>
      <ComposedChart
        data={days}
        responsive
        accessibilityLayer={false}
        style={{ width: "100%", height: "100%", cursor: "pointer" }}
        margin={{ top: 8, right: 4, bottom: 0, left: 0 }}
        barCategoryGap="20%"
        onClick={({ activeLabel }) => (typeof activeLabel === "string" ? onOpen(activeLabel) : undefined)}
      >
        <CartesianGrid vertical={false} stroke="var(--chart-grid)" />
        <XAxis
          dataKey="date"
          tickFormatter={shortDay}
          tick={tick}
          tickLine={false}
          axisLine={{ stroke: "var(--chart-grid)" }}
          minTickGap={24}
        />
        <YAxis tick={tick} tickLine={false} axisLine={false} width={36} allowDecimals={false} />
        <Tooltip
          cursor={{ fill: "var(--chart-cursor)", stroke: "none" }}
          {...noAnimation}
          content={(told) => <DayTooltip {...told} measure={measure} />}
        />
        {measure.series.map((series) => renderSeries(series, measure.series.length === 1))}
      </ComposedChart>
    </chakra.div>
  </chakra.figure>
);

type Props = {
  active: boolean;
  /** Recharts passes the points at the pointer; each holds its whole day. */
  payload: readonly { payload?: ChartDay }[];
  measure: Measure;
};

const DayTooltip = ({ active, payload, measure: { series } }: Props) => {
  const day = payload[0]?.payload;
  if (!active || !day) return null;
  return (
    <chakra.div bg="bg.panel" borderWidth="1px" borderColor="border" borderRadius="l2" boxShadow="lg" px="3" py="2" textStyle="sm">
      <chakra.p fontWeight="semibold">{shortDay(day.date)}</chakra.p>
      {series.map(({ key, name }) => (
        <chakra.p key={key} color="fg.muted">{`${name}: ${formatCount(day[key])}`}</chakra.p>
      ))}
    </chakra.div>
  );
};

/** Not a component, because Recharts looks for its own elements among the children. */
const renderSeries = ({ key, look }: Series, isAlone: boolean) => {
  if (look === "column")
    return (
      <Bar
        key={key}
        dataKey={key}
        fill={isAlone ? "var(--chart-edge)" : "var(--chart-column)"}
        stroke="var(--chart-edge)"
        radius={[3, 3, 0, 0]}
        maxBarSize={36}
        {...noAnimation}
      />
    );
  const isDashed = look === "dashes";
  return (
    <Line
      key={key}
      dataKey={key}
      type="linear"
      stroke={isDashed ? "var(--chart-dashes)" : "var(--chart-line)"}
      strokeWidth={2}
      {...(isDashed && { strokeDasharray: "5 4" })}
      dot={isDashed ? false : { r: 2.5, fill: "var(--chart-line)", strokeWidth: 0 }}
      activeDot={{ r: 4, strokeWidth: 0, fill: isDashed ? "var(--chart-dashes)" : "var(--chart-line)" }}
      {...noAnimation}
    />
  );
};

export default CallChart;
