import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False while a prerendered part of the page wakes up: it must first be what the server rendered, for whom nobody was known yet. */
export const useIsAwake = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

type ColourMode = "light" | "dark";

const storageName = "colour-mode";
const listeners = new Set<() => void>();

/** The page's <head> script has set the class before the first paint; here it is only read and changed. */
const current = (): ColourMode => (document.documentElement.classList.contains("dark") ? "dark" : "light");

export const setColourMode = (mode: ColourMode): void => {
  localStorage.setItem(storageName, mode);
  const root = document.documentElement;
  root.classList.toggle("dark", mode === "dark");
  root.style.colorScheme = mode;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useColourMode = (): ColourMode => useSyncExternalStore(subscribe, current, () => "light");
