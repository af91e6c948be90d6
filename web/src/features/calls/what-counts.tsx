import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import type { CallFigures, CallMetrics } from "@vitaline/contract";
import { type ReactNode, useId } from "react";
import { formatCount, formatPercent } from "../../lib/format/numbers.ts";
import { CallsLink } from "./calls-link.tsx";
import { nameOfDays } from "./page-range.ts";

const successMeaning = "A call counts as successful once it ended normally, whether or not it helped the caller.";

/** In place of the figures, which are longer. */
export const WhatCountsWaiting = ({ period }: { period: string }) => (
  <Text mt="4" textStyle="sm" lineHeight="1.5rem" color="fg.muted">
    {`${successMeaning} The outcomes of the ${period} are loading.`}
  </Text>
);

/** What the cards leave out: what came of the calls, and how the tools did. Nothing without calls and tool runs. */
export const WhatCounts = ({ metrics, period }: { metrics: CallMetrics; period: string }) => {
  const { totalCalls, toolRuns, previous } = metrics;
  if (totalCalls === 0 && toolRuns === 0) return null;
  return (
    <chakra.div mt="4" textStyle="sm" lineHeight="1.5rem" color="fg.muted">
      <Text>{successMeaning}</Text>
      <Facts name={namePeriod(period, metrics.days)}>
        {totalCalls === 0 ? null : <Outcomes figures={metrics} />}
        {totalCalls === 0 ? null : <Booked count={metrics.revenueEvents} />}
        <chakra.li color={isFailing(metrics) ? "orange.fg" : undefined} fontWeight={isFailing(metrics) ? "medium" : undefined}>
          {toolRuns === 0
            ? "no tool ran"
            : `${formatCount(metrics.failedToolRuns)} of ${formatCount(toolRuns)} tool runs failed (${formatPercent((metrics.failedToolRuns / toolRuns) * 100)})`}
          {metrics.failedToolRuns === 0 ? null : (
            <>
              {": "}
              <CallsLink counted={{ toolFailed: true }}>See these calls</CallsLink>
            </>
          )}
        </chakra.li>
      </Facts>
      {previous === null ? null : (
        <Facts name={`Previous period, ${nameOfDays(previous.days)}`}>
          {describePrevious(previous).map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </Facts>
      )}
    </chakra.div>
  );
};

const Facts = ({ name, children }: { name: string; children: ReactNode }) => {
  const id = useId();
  return (
    <>
      <Text id={id} mt="2" fontWeight="medium" color="fg">
        {name}
      </Text>
      <chakra.ul aria-labelledby={id} display="flex" flexWrap="wrap" columnGap="5" listStyleType="none">
        {children}
      </chakra.ul>
    </>
  );
};

/** The name of some periods has their days. */
const namePeriod = (period: string, days: CallMetrics["days"]): string => {
  const named = days === null ? "" : nameOfDays(days);
  return period.endsWith(named) ? period : `${period}, ${named}`;
};

const Booked = ({ count }: { count: number }) => (
  <li>{count === 0 ? describeBooked(count) : <CallsLink counted={{ result: "booked" }}>{describeBooked(count)}</CallsLink>}</li>
);

const describeBooked = (count: number): string => `${formatCount(count)} ${count === 1 ? "appointment" : "appointments"} booked`;

/** As where the dashboard warns of failing tools. */
const isFailing = ({ toolRuns, failedToolRuns }: CallFigures): boolean => failedToolRuns * 2 >= toolRuns && failedToolRuns > 0;

const Outcomes = ({ figures: { totalCalls, resolvedCalls, forwardedCalls, abandonedCalls } }: { figures: CallFigures }) => {
  const outcomes = [
    ["resolved", resolvedCalls, "resolved"],
    ["transferred", forwardedCalls, "transferred to a person"],
    ["unresolved", totalCalls - resolvedCalls - forwardedCalls, "unresolved"],
    ["abandoned", abandonedCalls, "of these abandoned"],
  ] as const;
  return outcomes.map(([outcome, count, words]) => (
    <li key={outcome}>{count === 0 ? `0 ${words}` : <CallsLink counted={{ outcome }}>{`${formatCount(count)} ${words}`}</CallsLink>}</li>
  ));
};

const describePrevious = ({ totalCalls, resolutionRate, revenueEvents, toolRuns, failedToolRuns }: CallFigures): string[] =>
  totalCalls === 0
    ? ["no calls"]
    : [
        `${formatCount(totalCalls)} ${totalCalls === 1 ? "call" : "calls"}`,
        `${formatPercent(resolutionRate)} resolved`,
        describeBooked(revenueEvents),
        toolRuns === 0 ? "no tool runs" : `${formatPercent((failedToolRuns / toolRuns) * 100)} of tool runs failed`,
      ];

/** "12% more than before", "about 12 times as many as before"; undefined where there is nothing to compare with. */
export const describeChange = (now: number, before: number | undefined): string | undefined => {
  if (before === undefined || before === 0) return undefined;
  if (now >= before * 10) return `about ${formatCount(Math.round(now / before))} times as many as before`;
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return "about as many as before";
  return `${formatCount(Math.abs(percent))}% ${percent > 0 ? "more" : "fewer"} than before`;
};
