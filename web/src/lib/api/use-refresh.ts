import type { Route } from "@vitaline/contract";
import { type Cache, useSWRConfig } from "swr";
import { useLayoutEffect } from "react";

/** How many parts of the page show each address, by the cache that they read from. */
const shown = new WeakMap<Cache, Map<string, number>>();

const countsOf = (cache: Cache): Map<string, number> => {
  const counts = shown.get(cache) ?? new Map<string, number>();
  shown.set(cache, counts);
  return counts;
};

export const isOnScreen = (cache: Cache, key: string): boolean => (countsOf(cache).get(key) ?? 0) > 0;

/** Says that an address is shown, as long as the part that shows it is on the page; null: nothing is. */
export const useOnScreen = (key: string | null): void => {
  const { cache } = useSWRConfig();
  useLayoutEffect(() => {
    if (key === null) return;
    const counts = countsOf(cache);
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return () => void counts.set(key, (counts.get(key) ?? 1) - 1);
  }, [cache, key]);
};

/** What is kept of addresses that nobody shows goes, so that it is asked for again when somebody does. What is shown stays. */
export const forgetUnseen = (cache: Cache, isMeant: (key: string) => boolean): void => {
  for (const key of [...cache.keys()]) if (isMeant(key) && !isOnScreen(cache, key)) cache.delete(key);
};

/** Whether a key of the cache is this row's, whatever its params and query, and whoever reads it fresh. */
export const isOfRoute = ({ path }: Pick<Route, "path">): ((key: unknown) => boolean) => {
  const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/?#]+")}([?#]|$)`);
  return (key) => typeof key === "string" && pattern.test(key);
};

/**
 * Asks again for what is on screen from these rows of the contract, whatever their queries; after a change that they show. What is
 * kept of them and not on screen is forgotten, so that it is asked for when it is.
 */
export const useRefresh = () => {
  const { cache, mutate } = useSWRConfig();
  return async (...routes: Pick<Route, "path">[]): Promise<void> => {
    const ofRoutes = routes.map(isOfRoute);
    const isMeant = (key: unknown): boolean => ofRoutes.some((isOf) => isOf(key));
    const arrived = mutate(isMeant);
    // Before they arrive: what comes late to an address that was forgotten meanwhile counts for nothing.
    forgetUnseen(cache, isMeant);
    await arrived;
  };
};
