import { useSyncExternalStore } from "react";

export type Density = "comfortable" | "compact";

const storageName = "density";
const listeners = new Set<() => void>();
const root = () => document.documentElement;

/** The document's inline script sets the attribute before the first paint; the theme's condition `_compact` reads it. */
const current = (): Density => (root().dataset["density"] === "compact" ? "compact" : "comfortable");

const apply = (density: Density): void => {
  root().dataset["density"] = density;
};

/** For this browser. */
export const setDensity = (density: Density): void => {
  localStorage.setItem(storageName, density);
  apply(density);
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useDensity = (): Density => useSyncExternalStore(subscribe, current);
