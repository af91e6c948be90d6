import { useEffect } from "react";
import { useLocation } from "react-router-dom";

/** As long as something would be lost, leaving by the browser's own means asks first. `ask` stays the same from render to render. */
export const useLeaveGuard = (isDirty: boolean, ask: Ask): void => {
  const location = useLocation();
  useEffect(notePlace, [location]);
  useEffect(() => {
    if (!isDirty) return;
    askBeforeLeaving(ask);
    return () => leaveUnasked(ask);
  }, [isDirty, ask]);
};

/** Has to be the same from render to render. */
type Ask = (isAsking: true) => void;

/** Who asks before something is lost, the innermost dialog last, and where in the tab's history each began to. */
const asking = new Map<Ask, number>();
/** Where in the history the tab is, as the router counts it. */
let place = 0;

const placeNow = (): number | undefined => (history.state as { idx?: number | null } | null)?.idx ?? undefined;

/** What somebody would lose by arriving there: Back from the address where it began, or Forward from wherever one is. */
const losingAt = (arrived: number): Ask | undefined => [...asking].filter(([, begun]) => arrived < begun || arrived > place).at(-1)?.[0];

/** What was a step through the history is undone by as many steps. */
const onPop = (event: PopStateEvent): void => {
  const arrived = placeNow();
  if (arrived === undefined || asking.size === 0) return;
  if (arrived === place) return event.stopImmediatePropagation();
  const ask = losingAt(arrived);
  if (ask === undefined) return;
  event.stopImmediatePropagation();
  history.go(place - arrived);
  ask(true);
};

/** The browser asks in words of its own. */
const onUnload = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Has to hear of each step before the router does, which takes away what stands at the address that was left. */
export const watchLeaving = (): void => window.addEventListener("popstate", onPop);

/** Called where the address may have changed. */
const notePlace = (): void => {
  place = placeNow() ?? place;
};

/** From now on neither Back nor a reload nor the closing of the tab is done unasked. */
const askBeforeLeaving = (ask: Ask): void => {
  window.addEventListener("beforeunload", onUnload);
  asking.set(ask, place);
};

export const leaveUnasked = (ask: Ask): void => {
  asking.delete(ask);
  if (asking.size === 0) window.removeEventListener("beforeunload", onUnload);
};

/** For where the page itself leads elsewhere. */
export const leaveAllUnasked = (): void => {
  for (const ask of [...asking.keys()]) leaveUnasked(ask);
};
