import { useEffect } from "react";
import { useLocation } from "react-router-dom";

/** While `isDirty`, the browser's Back, Forward, reload and close ask first. `ask` has to be stable. */
export const useLeaveGuard = (isDirty: boolean, ask: Ask): void => {
  const location = useLocation();
  useEffect(updatePlace, [location]);
  useEffect(() => {
    if (!isDirty) return;
    askBeforeLeaving(ask);
    return () => stopAsking(ask);
  }, [isDirty, ask]);
};

/** Has to be stable. */
type Ask = (isAsking: true) => void;

/** The open questions, the innermost dialog last, with the history position at which each started. */
const openQuestions = new Map<Ask, number>();
/** The router's index of the current history entry. */
let place = 0;

const readPlace = (): number | undefined => (history.state as { idx?: number | null } | null)?.idx ?? undefined;

/** Back beyond the entry at which a dialog started, or Forward, would lose its input. */
const questionAt = (arrived: number): Ask | undefined =>
  [...openQuestions].filter(([, begun]) => arrived < begun || arrived > place).at(-1)?.[0];

/** A history step is undone by the same number of steps. */
const onPop = (event: PopStateEvent): void => {
  const arrived = readPlace();
  if (arrived === undefined || openQuestions.size === 0) return;
  if (arrived === place) return event.stopImmediatePropagation();
  const ask = questionAt(arrived);
  if (ask === undefined) return;
  event.stopImmediatePropagation();
  history.go(place - arrived);
  ask(true);
};

/** Browsers show their own text. */
const onUnload = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Must be registered before the router's listener, which renders the new address. */
export const watchLeaving = (): void => window.addEventListener("popstate", onPop);

const updatePlace = (): void => {
  place = readPlace() ?? place;
};

const askBeforeLeaving = (ask: Ask): void => {
  window.addEventListener("beforeunload", onUnload);
  openQuestions.set(ask, place);
};

export const stopAsking = (ask: Ask): void => {
  openQuestions.delete(ask);
  if (openQuestions.size === 0) window.removeEventListener("beforeunload", onUnload);
};

/** For navigation by the page itself. */
export const stopAllAsking = (): void => {
  for (const ask of [...openQuestions.keys()]) stopAsking(ask);
};
