import { useSyncExternalStore } from "react";

export type ColourMode = "light" | "dark";

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
