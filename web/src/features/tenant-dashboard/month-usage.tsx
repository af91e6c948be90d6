import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { tenantDashboard, type Usage } from "@vitaline/contract";
import { chakra } from "@chakra-ui/react/styled-system";
import { useApi } from "../../lib/api/use-api.ts";
import { Bar } from "../../components/data/bar-list.tsx";
import { Loadable, ShortSkeleton } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { formatCount, formatDollars } from "../../lib/format/numbers.ts";

export const MonthUsage = () => {
  const usage = useApi(tenantDashboard.usage, {});
  return (
    <Panel title="Plan usage" description={usage.data ? formatMonth(usage.data.month) : "This month"}>
      <Loadable loaded={usage} what="plan usage" skeleton={<ShortSkeleton />}>
        {(found) => <Minutes usage={found} />}
      </Loadable>
    </Panel>
  );
};

const monthAndYear = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" });

/** "2026-11" → "November 2026, days in UTC": minutes are counted by UTC days. */
export const formatMonth = (month: string): string => `${monthAndYear.format(new Date(`${month}-01T00:00:00Z`))}, days in UTC`;

type Props = { usage: Usage; noPlan?: string };

export const Minutes = ({ usage, noPlan = "No plan is set for your organization yet." }: Props) => {
  const { minutes, bundledMinutes, planName } = usage;
  const used = formatCount(minutes);
  const overage = formatOverage(usage);
  if (bundledMinutes === null)
    return (
      <>
        <Figure value={used} unit="minutes" />
        <Earlier usage={usage} />
        <Text textStyle="sm" color="fg.muted" mt="1">
          {noPlan}
        </Text>
      </>
    );
  return (
    <Stack gap="3">
      <Figure value={used} unit={`of ${formatCount(bundledMinutes)} minutes`} />
      <Bar
        label="Minutes used"
        value={minutes}
        max={bundledMinutes}
        text={`${used} of ${formatCount(bundledMinutes)} minutes`}
        isOver={overage !== ""}
      />
      <Earlier usage={usage} />
      <Text textStyle="sm" color="fg.muted">{`Plan: ${planName}`}</Text>
      {overage === "" ? null : (
        <Text textStyle="sm" color="orange.fg" fontWeight="medium">
          {overage}
        </Text>
      )}
    </Stack>
  );
};

const Earlier = ({ usage }: { usage: Usage }) => {
  const text = describeEarlier(usage);
  return text === "" ? null : (
    <Text textStyle="sm" color="fg.muted">
      {text}
    </Text>
  );
};

/** Why the minutes are more than those of the month's calls; "" where they are not. */
export const describeEarlier = ({ earlierMinutes }: Pick<Usage, "earlierMinutes">): string => {
  const minutes = formatCount(earlierMinutes);
  return earlierMinutes < 0.05
    ? ""
    : `Includes ${minutes} ${minutes === "1" ? "minute" : "minutes"} of calls from earlier months that were reported this month.`;
};

/** "" without overage. */
export const formatOverage = ({ overageMinutes, overageCharge, overageRate }: Usage): string =>
  overageMinutes === null || overageCharge === null || overageMinutes <= 0
    ? ""
    : `${formatCount(overageMinutes)} ${overageMinutes === 1 ? "minute" : "minutes"} over the plan: ${formatDollars(overageCharge)} at ${formatDollars(overageRate)} a minute.`;

export const Figure = ({ value, unit }: { value: string; unit: string }) => (
  <Text>
    <chakra.span textStyle="3xl" fontWeight="semibold" fontVariantNumeric="tabular-nums" letterSpacing="tight">
      {value}
    </chakra.span>{" "}
    <chakra.span color="fg.muted">{unit}</chakra.span>
  </Text>
);
