import { useSyncExternalStore } from "react";

type ColorMode = "light" | "dark";

const storageName = "colour-mode";
const listeners = new Set<() => void>();

/** The inline script in <head> sets the class before the first paint. */
const current = (): ColorMode => (document.documentElement.classList.contains("dark") ? "dark" : "light");

export const setColorMode = (mode: ColorMode): void => {
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

export const useColorMode = (): ColorMode => useSyncExternalStore(subscribe, current, () => "light");
