import type { Route } from "@vitaline/contract";
import { type Cache, useSWRConfig } from "swr";
import { useEffect, useLayoutEffect } from "react";

/** The number of mounted readers of each address, by cache. */
const shown = new WeakMap<Cache, Map<string, number>>();

const countsOf = (cache: Cache): Map<string, number> => {
  const counts = shown.get(cache) ?? new Map<string, number>();
  shown.set(cache, counts);
  return counts;
};

export const isOnScreen = (cache: Cache, key: string): boolean => (countsOf(cache).get(key) ?? 0) > 0;

/** Marks an address as displayed while the component is mounted. */
export const useMarkDisplayed = (key: string | null): void => {
  const { cache } = useSWRConfig();
  useLayoutEffect(() => {
    if (key === null) return;
    const counts = countsOf(cache);
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return () => void counts.set(key, (counts.get(key) ?? 1) - 1);
  }, [cache, key]);
};

/** Drops cached data of addresses without a mounted reader. */
export const dropHidden = (cache: Cache, isMeant: (key: string) => boolean): void => {
  for (const key of [...cache.keys()]) if (isMeant(key) && !isOnScreen(cache, key)) cache.delete(key);
};

/** Matches all keys of a route, for every params and query. */
export const isOfRoute = ({ path }: Pick<Route, "path">): ((key: unknown) => boolean) => {
  const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/?#]+")}([?#]|$)`);
  return (key) => typeof key === "string" && pattern.test(key);
};

/** Nothing polls: a list that also others change is read when one comes to its page, after a change, and on Refresh. */
export const useReadAgainNextTime = (route: Pick<Route, "path">): void => {
  const { cache } = useSWRConfig();
  useEffect(() => () => queueMicrotask(() => dropHidden(cache, isOfRoute(route))), [cache, route]);
};

/** Reads the displayed data of these routes again, after a change. Hidden data is dropped and read when it is shown. */
export const useRefresh = () => {
  const { cache, mutate } = useSWRConfig();
  return async (...routes: Pick<Route, "path">[]): Promise<void> => {
    const ofRoutes = routes.map(isOfRoute);
    const isMeant = (key: unknown): boolean => ofRoutes.some((isOf) => isOf(key));
    const arrived = mutate(isMeant);
    // Dropped first: a late answer to a dropped address is ignored.
    dropHidden(cache, isMeant);
    await arrived;
  };
};
