import { lazy } from "react";
import { DashboardTabs } from "../../components/dashboard-tabs.tsx";

/** The console's five parts; each one's code comes when it is opened. */
const tabs = [
  { value: "users", label: "Users", Content: lazy(() => import("../users/users-tab.tsx")) },
  { value: "tenants", label: "Tenants", Content: lazy(() => import("../tenants/tenants-tab.tsx")) },
  { value: "voice", label: "Voice & AI", Content: lazy(() => import("./voice-tab.tsx")) },
  { value: "fhir", label: "EHR/FHIR", Content: lazy(() => import("./ehr-tab.tsx")) },
  { value: "audit", label: "Audit & Compliance", Content: lazy(() => import("./compliance-tab.tsx")) },
] as const;

export const AdminTabs = () => <DashboardTabs tabs={tabs} />;
