import { Badge } from "@chakra-ui/react/badge";
import { Tabs } from "@chakra-ui/react/tabs";
import { type ComponentType, Suspense, useId } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { useSearchParams } from "react-router-dom";
import { useOpenTab } from "../app/use-open-tab.ts";
import { FailedPart } from "./failed-part.tsx";
import { Waiting } from "./waiting.tsx";

/** `value` is what the address calls it. */
export type DashboardTab = {
  value: string;
  label: string;
  Content: ComponentType;
  /** How many things in it wait for somebody, as far as they were counted, such as "3" or "100+". */ waiting?: string | undefined;
};

type Props = {
  /** In order. The first opens when the address names none of them. */ tabs: readonly [DashboardTab, ...DashboardTab[]];
  /** What all of them need to know is there. */ isReady?: boolean;
};

/** A tab by its own name; what waits in it is said after that. */
const Trigger = ({ value, label, waiting }: DashboardTab) => {
  const waitingId = useId();
  if (waiting === undefined)
    return (
      <Tabs.Trigger value={value} flexShrink="0">
        {label}
      </Tabs.Trigger>
    );
  return (
    <Tabs.Trigger value={value} flexShrink="0" aria-describedby={waitingId}>
      {label}
      <Badge colorPalette="orange" aria-hidden>
        {waiting}
      </Badge>
      <span id={waitingId} hidden>{`${waiting} ${waiting === "1" ? "waits" : "wait"}`}</span>
    </Tabs.Trigger>
  );
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
        {tabs.map((tab) => (
          <Trigger key={tab.value} {...tab} />
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
