import { Box } from "@chakra-ui/react/box";
import { Badge } from "@chakra-ui/react/badge";
import { Tabs } from "@chakra-ui/react/tabs";
import { type ComponentType, type RefObject, Suspense, useDeferredValue, useEffect, useId, useLayoutEffect, useRef } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { useSearchParams } from "react-router-dom";
import { FailedPart } from "../feedback/loadable.tsx";
import { Waiting } from "../feedback/waiting.tsx";
import { highEnough, tabsRoom } from "../dialog/dialog.tsx";
import { fadeRem } from "../../theme/recipes/data.ts";

/** Tabs of a dialog stay visible while their content scrolls, unless the window is too low. The padding leaves room for the focus ring. */
export const tabStrip = {
  "data-dialog-tabs": true,
  zIndex: "docked",
  bg: "bg.panel",
  mx: { base: "-4", sm: "-6" },
  px: { base: "4", sm: "6" },
  mt: "-5",
  pt: "0.5",
  css: {
    "& [role=tab]": { scrollMarginTop: `-${tabsRoom}` },
    [`@media ${highEnough}`]: { position: "sticky", top: "-5" },
  },
} as const;

const selectedIn = (list: HTMLElement): HTMLElement | null => list.querySelector("[aria-selected=true]");

/** Scrolls the list horizontally until `child` is visible beside the faded edges. `scrollIntoView` would also scroll the page. */
const reveal = (list: HTMLElement, child: HTMLElement): void => {
  const [outer, inner] = [list.getBoundingClientRect(), child.getBoundingClientRect()];
  const fade = fadeRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  list.scrollLeft += Math.min(0, inner.left - outer.left - fade) + Math.max(0, inner.right - outer.right + fade);
};

/** `data-more` names the edges with hidden tabs; the theme fades them out. */
const markEdges = (list: HTMLElement): void => {
  const after = list.scrollWidth - list.clientWidth - list.scrollLeft;
  list.dataset["more"] = [list.scrollLeft > 1 && "start", after > 1 && "end"].filter(Boolean).join(" ");
};

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Ark moves the focus a frame later, so quick presses of an arrow key would be lost. */
const moveAtOnce = (strip: HTMLElement, event: KeyboardEvent, selects: boolean): void => {
  const tabs = [...strip.querySelectorAll<HTMLElement>("[role=tab]")];
  const at = tabs.findIndex((one) => one === document.activeElement);
  const next = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey ? undefined : steps[event.key]?.(at, tabs.length);
  if (next === undefined || at === -1) return;
  event.preventDefault();
  tabs[next]?.focus();
  if (selects) tabs[next]?.click();
};

/**
 * For a list of tabs that may be wider than its container: keeps the open tab visible. `selects`: a tab opens as soon as the focus
 * comes to it.
 */
export const useTabStrip = (tab: string, { selects = false } = {}): RefObject<HTMLDivElement | null> => {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const strip = list.current;
    const move = (event: KeyboardEvent) => strip && moveAtOnce(strip, event, selects);
    strip?.addEventListener("keydown", move, { capture: true });
    return () => strip?.removeEventListener("keydown", move, { capture: true });
  }, [selects]);
  useLayoutEffect(() => {
    const strip = list.current;
    if (!strip) return;
    const mark = () => markEdges(strip);
    const show = () => {
      const selected = selectedIn(strip);
      if (selected) reveal(strip, selected);
      mark();
    };
    show();
    const watcher = new ResizeObserver(show);
    watcher.observe(strip);
    strip.addEventListener("scroll", mark, { passive: true });
    return () => {
      watcher.disconnect();
      strip.removeEventListener("scroll", mark);
    };
  }, [tab]);
  return list;
};

/** `value` is the tab's name in the address. */
export type DashboardTab = {
  value: string;
  label: string;
  Content: ComponentType;
  /** The number of items that need attention, such as "3" or "100+". */
  waiting?: string | undefined;
};

type Props = {
  /** The first one is the default. */
  tabs: readonly [DashboardTab, ...DashboardTab[]];
  /** The data that all tabs need has loaded. */
  isReady?: boolean;
};

/** The accessible name is the label; the count follows it. */
const Trigger = ({ value, label, waiting }: DashboardTab) => {
  const waitingId = useId();
  if (waiting === undefined)
    return (
      <Tabs.Trigger value={value} flexShrink="0" scrollMarginBlock="4rem">
        {label}
      </Tabs.Trigger>
    );
  return (
    <Tabs.Trigger value={value} flexShrink="0" scrollMarginBlock="4rem" aria-describedby={waitingId}>
      {label}
      <Badge colorPalette="orange" aria-hidden>
        {waiting}
      </Badge>
      <span id={waitingId} hidden>{`${waiting} ${waiting === "1" ? "waits" : "wait"}`}</span>
    </Tabs.Trigger>
  );
};

export const openTab = (tabs: Props["tabs"], search: URLSearchParams): DashboardTab =>
  tabs.find(({ value }) => value === search.get("tab")) ?? tabs[0];

/** As high as the window, so that the page does not become shorter than its scroll position. */
const TabWaiting = ({ label }: { label: string }) => (
  <Box minH="100dvh">
    <Waiting text={`Loading ${label}...`} />
  </Box>
);

/** The tabs of a dashboard, selected by `?tab=`. Only the open tab is mounted. */
export const DashboardTabs = ({ tabs, isReady = true }: Props) => {
  const [search, setSearch] = useSearchParams();
  const open = openTab(tabs, search);
  const list = useOpenTab(open.value);
  // A press is answered at once; the tab's content is rendered after that.
  const rendered = useDeferredValue(open.value);
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
            <Suspense fallback={<TabWaiting label={label} />}>
              {isReady && rendered === value ? <Content /> : <TabWaiting label={label} />}
            </Suspense>
          </ErrorBoundary>
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
};

/** Keeps an opened tab in view, and moves the focus to it when a link in another tab has opened it. */
export const useOpenTab = (tab: string, options?: Parameters<typeof useTabStrip>[1]): RefObject<HTMLDivElement | null> => {
  const list = useTabStrip(tab, options);
  const shown = useRef(tab);
  useEffect(() => {
    if (shown.current === tab) return;
    shown.current = tab;
    const selected = list.current && selectedIn(list.current);
    if (!selected) return;
    if (!list.current?.contains(document.activeElement)) selected.focus();
    // What stands above the tabs may be taller now.
    selected.scrollIntoView({ block: "nearest" });
  }, [tab, list]);
  return list;
};
