import { useSyncExternalStore } from "react";

export type Density = "comfortable" | "compact";

const storageName = "density";
const listeners = new Set<() => void>();
const root = () => document.documentElement;

/** The theme's condition `_compact` reads the attribute. */
const current = (): Density => (root().dataset["density"] === "compact" ? "compact" : "comfortable");

const apply = (density: Density): void => {
  root().dataset["density"] = density;
};

/** Call it before the first paint. */
export const applyStoredDensity = (): void => apply(localStorage.getItem(storageName) === "compact" ? "compact" : "comfortable");

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
