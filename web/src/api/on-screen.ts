import { useLayoutEffect } from "react";
import { type Cache, useSWRConfig } from "swr";

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
