import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { tenantDashboard, type Usage } from "@vitaline/contract";
import { useApi } from "../../lib/api/use-api.ts";
import { Bar } from "../../components/data/bar-list.tsx";
import { Loadable } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { formatCount } from "../../lib/format/numbers.ts";
import { Figure } from "./figure.tsx";
import { ShortSkeleton } from "./short-skeleton.tsx";
import { nameOfMonth, overageOf } from "./usage-words.ts";

/** The minutes of this month against the plan's. */
export const MonthUsage = () => {
  const usage = useApi(tenantDashboard.usage, {});
  return (
    <Panel title="Plan usage" description={usage.data ? nameOfMonth(usage.data.month) : "This month"}>
      <Loadable loaded={usage} what="plan usage" skeleton={<ShortSkeleton />}>
        {(found) => <Minutes usage={found} />}
      </Loadable>
    </Panel>
  );
};

type Props = { usage: Usage; /** Said while there is no plan. */ noPlan?: string };

export const Minutes = ({ usage, noPlan = "No plan is set for your organization yet." }: Props) => {
  const { minutes, bundledMinutes, planName } = usage;
  const used = formatCount(minutes);
  const overage = overageOf(usage);
  if (bundledMinutes === null)
    return (
      <>
        <Figure value={used} unit="minutes" />
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
      <Text textStyle="sm" color="fg.muted">{`Plan: ${planName}`}</Text>
      {overage === "" ? null : (
        <Text textStyle="sm" color="orange.fg" fontWeight="medium">
          {overage}
        </Text>
      )}
    </Stack>
  );
};
