import { Badge } from "@chakra-ui/react/badge";
import { Tabs } from "@chakra-ui/react/tabs";
import { type ComponentType, type RefObject, Suspense, useEffect, useId, useLayoutEffect, useRef } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { useSearchParams } from "react-router-dom";
import { FailedPart } from "../feedback/loadable.tsx";
import { Waiting } from "../feedback/waiting.tsx";
import { tabsRoom } from "../dialog/dialog.tsx";

/** Of tabs in a dialog: they stay in sight while their part is scrolled, close to the dialog's head; the inner room is the focus ring's. */
export const tabStrip = {
  "data-dialog-tabs": true,
  position: "sticky",
  top: "-5",
  zIndex: "docked",
  bg: "bg.panel",
  mx: { base: "-4", sm: "-6" },
  px: { base: "4", sm: "6" },
  mt: "-5",
  pt: "0.5",
  css: { "& [role=tab]": { scrollMarginTop: `-${tabsRoom}` } },
} as const;

const selectedIn = (list: HTMLElement): HTMLElement | null => list.querySelector("[aria-selected=true]");

/** Scrolls a list sideways, and nothing else, until one of its children is in sight. */
const reveal = (list: HTMLElement, child: HTMLElement): void => {
  const [outer, inner] = [list.getBoundingClientRect(), child.getBoundingClientRect()];
  list.scrollLeft += Math.min(0, inner.left - outer.left) + Math.max(0, inner.right - outer.right);
};

/** Says at which edges there is more than is in sight, by `data-more`: there the theme fades it out. */
const markEdges = (list: HTMLElement): void => {
  const after = list.scrollWidth - list.clientWidth - list.scrollLeft;
  list.dataset["more"] = [list.scrollLeft > 1 && "start", after > 1 && "end"].filter(Boolean).join(" ");
};

/** For a list of tabs that may be wider than its place: the open one is always in sight, and what is not is hinted at. */
export const useTabStrip = (tab: string): RefObject<HTMLDivElement | null> => {
  const list = useRef<HTMLDivElement>(null);
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

/** For a page's list of tabs: whoever comes to one by a link in another has the focus on it, as what had the focus is gone. */
export const useOpenTab = (tab: string): RefObject<HTMLDivElement | null> => {
  const list = useTabStrip(tab);
  const shown = useRef(tab);
  useEffect(() => {
    if (shown.current === tab) return;
    shown.current = tab;
    if (list.current && !list.current.contains(document.activeElement)) selectedIn(list.current)?.focus();
  }, [tab, list]);
  return list;
};
