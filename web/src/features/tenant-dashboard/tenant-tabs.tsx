import { lazy } from "react";
import { DashboardTabs, openTab } from "../../components/layout/tabs.tsx";
import { OverviewTab } from "./overview-tab.tsx";

/** The code of all but the first comes when they are opened. */
const tabs = [
  { value: "overview", label: "Overview", Content: OverviewTab },
  { value: "api-keys", label: "API Keys", Content: lazy(() => import("../api-keys/api-keys-tab.tsx")) },
  { value: "fhir", label: "FHIR", Content: lazy(() => import("../fhir-providers/tenant/fhir-tab.tsx")) },
  { value: "analytics", label: "Analytics", Content: lazy(() => import("../calls/analytics/analytics-tab.tsx")) },
  { value: "offices", label: "Offices", Content: lazy(() => import("../offices/offices-tab.tsx")) },
  { value: "audit", label: "Audit", Content: lazy(() => import("../audit/audit-tab.tsx")) },
  { value: "system", label: "System", Content: lazy(() => import("../system-health/system-tab.tsx")) },
] as const;

/** Whether the address opens the first of them. */
export const isOverview = (search: URLSearchParams): boolean => openTab(tabs, search).value === tabs[0].value;

export const TenantTabs = ({ isReady }: { isReady: boolean }) => <DashboardTabs tabs={tabs} isReady={isReady} />;
