import { Tabs } from "@chakra-ui/react/tabs";
import { type ComponentType, Suspense } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { useSearchParams } from "react-router-dom";
import { useOpenTab } from "../app/use-open-tab.ts";
import { FailedPart } from "./failed-part.tsx";
import { Waiting } from "./waiting.tsx";

/** `value` is what the address calls it. */
export type DashboardTab = { value: string; label: string; Content: ComponentType };

type Props = {
  /** In order. The first opens when the address names none of them. */ tabs: readonly [DashboardTab, ...DashboardTab[]];
  /** What all of them need to know is there. */ isReady?: boolean;
};

/** Which part an address opens. */
export const openTab = (tabs: Props["tabs"], search: URLSearchParams): DashboardTab =>
  tabs.find(({ value }) => value === search.get("tab")) ?? tabs[0];

/** A dashboard's parts, one at a time, by the address's `?tab=`. What is not open is not on the page and asks for nothing. */
export const DashboardTabs = ({ tabs, isReady = true }: Props) => {
  const [search, setSearch] = useSearchParams();
  const open = openTab(tabs, search);
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
