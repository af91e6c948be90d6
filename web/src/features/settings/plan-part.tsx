import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { tenant, tenantDashboard, tenantOffices, tenantVoiceAgents, team, type Plan } from "@vitaline/contract";
import Building from "lucide-react/dist/esm/icons/building-2.mjs";
import Phone from "lucide-react/dist/esm/icons/phone.mjs";
import Users from "lucide-react/dist/esm/icons/users.mjs";
import Bot from "lucide-react/dist/esm/icons/bot.mjs";
import { StatCard } from "../../components/data/stat-card.tsx";
import { Loadable, ShortSkeleton } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { DetailList } from "../../components/table/detail-list.tsx";
import { useAll } from "../../lib/api/use-all.ts";
import { useApi } from "../../lib/api/use-api.ts";
import { formatCount, formatDollars } from "../../lib/format/numbers.ts";
import { MonthUsage } from "../tenant-dashboard/month-usage.tsx";
import { AskPlatform } from "./ask-platform.tsx";

const PlanPart = () => {
  const settings = useApi(tenant.tenantSettings, {});
  return (
    <Stack gap="5">
      <Counts />
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="5">
        <Panel title="Plan" description={<AskPlatform what="the plan" />}>
          <Loadable loaded={settings} what="the plan" skeleton={<ShortSkeleton />}>
            {({ plan }) => <PlanDetails plan={plan} />}
          </Loadable>
        </Panel>
        <MonthUsage />
      </SimpleGrid>
    </Stack>
  );
};

const PlanDetails = ({ plan }: { plan: Plan | null }) => (
  <DetailList
    details={
      plan === null
        ? [["Plan", "Not set"]]
        : [
            ["Plan", plan.name],
            ["Price per month", formatDollars(plan.monthlyPrice)],
            ["Minutes included", formatCount(plan.bundledMinutes)],
          ]
    }
  />
);

/** Counted, not estimated. */
const Counts = () => {
  const metrics = useApi(tenantDashboard.tenantMetrics, {});
  const offices = useApi(tenantOffices.officeCards, {});
  const agents = useAll(tenantVoiceAgents.listOwnVoiceAgents, {});
  const colleagues = useAll(team.listTeam, {});
  const active = colleagues.data?.filter(({ isActive }) => isActive).length;
  const officeCount = offices.data?.filter(({ isActive }) => isActive).length;
  const agentCount = agents.data?.filter(({ isActive }) => isActive).length;
  return (
    <SimpleGrid as="section" aria-label="Usage" columns={{ base: 2, lg: 4 }} gap={{ base: "3", md: "5" }}>
      <StatCard label="Calls" icon={Phone} value={metrics.data && formatCount(metrics.data.totalCalls)} caption="In the last 30 days" />
      <StatCard label="Offices" icon={Building} value={officeCount === undefined ? undefined : formatCount(officeCount)} caption="Active" />
      <StatCard label="Voice agents" icon={Bot} value={agentCount === undefined ? undefined : formatCount(agentCount)} caption="Active" />
      <StatCard label="Team" icon={Users} value={active === undefined ? undefined : formatCount(active)} caption="Active or invited" />
    </SimpleGrid>
  );
};

export default PlanPart;
