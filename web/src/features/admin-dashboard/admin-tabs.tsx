import type { PlatformMetrics } from "@vitaline/contract";
import { lazy } from "react";
import { type DashboardTab, DashboardTabs } from "../../components/layout/tabs.tsx";
import { formatCount } from "../../lib/format/numbers.ts";

/** The console's five parts; each one's code comes when it is opened. */
const tabs = [
  { value: "users", label: "Users", Content: lazy(() => import("../users/users-tab.tsx")) },
  { value: "tenants", label: "Tenants", Content: lazy(() => import("../tenants/tenants-tab.tsx")) },
  { value: "voice", label: "Voice & AI", Content: lazy(() => import("./voice-tab.tsx")) },
  { value: "fhir", label: "EHR/FHIR", Content: lazy(() => import("./ehr-tab.tsx")) },
  { value: "audit", label: "Audit & Compliance", Content: lazy(() => import("./compliance-tab.tsx")) },
] as const;

/** The server counts no further than so many messages. */
const mostMessages = 100;

const waitingOf = ({ keptEvents, unmailedMessages }: PlatformMetrics["waiting"]): string | undefined => {
  const count = keptEvents + unmailedMessages;
  return count === 0 ? undefined : `${formatCount(count)}${unmailedMessages >= mostMessages ? "+" : ""}`;
};

/** `waiting`: what somebody has to look after in the last of them, once it is known. */
export const AdminTabs = ({ waiting }: { waiting: PlatformMetrics["waiting"] | undefined }) => {
  const [first, ...rest] = tabs;
  const withCount = (tab: DashboardTab): DashboardTab => (tab.value === "audit" && waiting ? { ...tab, waiting: waitingOf(waiting) } : tab);
  return <DashboardTabs tabs={[first, ...rest.map(withCount)]} />;
};
