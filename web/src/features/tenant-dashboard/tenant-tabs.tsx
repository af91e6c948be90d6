import { Tabs } from "@chakra-ui/react/tabs";
import { lazy, Suspense } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { useSearchParams } from "react-router-dom";
import { FailedPart } from "../../components/failed-part.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { useOpenTab } from "./use-open-tab.ts";

/** In order. The first opens when the address names none of them; the others' code comes when they are opened. */
const tabs = [
  { value: "overview", label: "Overview", Content: OverviewTab },
  { value: "api-keys", label: "API Keys", Content: lazy(() => import("../api-keys/api-keys-tab.tsx")) },
  { value: "fhir", label: "FHIR", Content: lazy(() => import("../fhir-providers/fhir-tab.tsx")) },
  { value: "analytics", label: "Analytics", Content: lazy(() => import("../calls/analytics-tab.tsx")) },
  { value: "offices", label: "Offices", Content: lazy(() => import("../offices/offices-tab.tsx")) },
  { value: "audit", label: "Audit", Content: lazy(() => import("../audit/audit-tab.tsx")) },
  { value: "system", label: "System", Content: lazy(() => import("../system-health/system-tab.tsx")) },
] as const;

/** The dashboard's parts, one at a time, by the address's `?tab=`. What is not open is not on the page and asks for nothing. `isReady`: what all of them need to know is there. */
export const TenantTabs = ({ isReady }: { isReady: boolean }) => {
  const [search, setSearch] = useSearchParams();
  const open = tabs.find(({ value }) => value === search.get("tab")) ?? tabs[0];
  const list = useOpenTab(open.value);
  return (
    <Tabs.Root value={open.value} onValueChange={({ value }) => setSearch({ tab: value })} activationMode="manual" lazyMount unmountOnExit>
      <Tabs.List ref={list} aria-label="Dashboard sections">
        {tabs.map(({ value, label }) => (
          <Tabs.Trigger key={value} value={value} flexShrink="0">
            {label}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {tabs.map(({ value, label, Content }) => (
        <Tabs.Content key={value} value={value}>
          <ErrorBoundary fallback={<FailedPart title={label} />}>
            <Suspense fallback={<Waiting text={`Loading ${label}...`} />}>
              {isReady ? <Content /> : <Waiting text={`Loading ${label}...`} />}
            </Suspense>
          </ErrorBoundary>
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
};
