import type { ResponseOf, Route } from "@vitaline/contract";
import { useEffect, useState } from "react";
import useSWR, { type SWRConfiguration, useSWRConfig } from "swr";
import { addressOf, call, type Request } from "./call.ts";
import { isOnScreen, useOnScreen } from "./use-refresh.ts";

/** Data stays until someone asks again: no retries, never stale, nothing on focus or reconnect. */
export const settings: SWRConfiguration = {
  shouldRetryOnError: false,
  revalidateIfStale: false,
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  // Only a request that is under way is shared. SWR would not repeat one of the last two seconds, and wait forever for what was forgotten since.
  dedupingInterval: 0,
};

export type Loaded<T> = {
  data: T | undefined;
  /** When the shown data arrived. */
  receivedAt: Date | undefined;
  error: unknown;
  isLoading: boolean;
  isRefreshing: boolean;
  refresh: () => void;
};

type Options = {
  /** Asks again by itself this often, as long as the page is looked at. */
  pollMilliseconds?: number;
  /** false: not now. Asked for once it is true. */
  when?: boolean;
  /** Read anew by each who shows it, shared with nobody: what a form begins with has to be true now. */
  fresh?: boolean;
};

let visits = 0;

/** What nobody else will ask for goes with whoever showed it. */
const useForgotten = (key: string | null): void => {
  const { cache, mutate } = useSWRConfig();
  useEffect(() => {
    if (key === null) return;
    const forget = () => {
      if (isOnScreen(cache, key)) return;
      // Changed to nothing first, so that an answer on its way does not bring it back.
      const forgotten = mutate(key, undefined, { revalidate: false }).then(() => isOnScreen(cache, key) || cache.delete(key));
      // It fails where the whole cache has gone with the session, and what it held with it.
      forgotten.catch(() => undefined);
    };
    // Later, as React's strict mode takes a part off the page and puts it back at once.
    return () => queueMicrotask(forget);
  }, [cache, key, mutate]);
};

/** Reads a row of the contract. Panels that read the same address share one request. */
export const useApi = <R extends Route>(
  route: R,
  request: Request<R>,
  { pollMilliseconds = 0, when = true, fresh = false }: Options = {},
): Loaded<ResponseOf<R>> => {
  const [visit] = useState(() => (visits += 1));
  const fetcher = async () => ({ answer: await call(route, request), receivedAt: new Date() });
  const key = when ? addressOf(route, request) + (fresh ? `#${visit}` : "") : null;
  useOnScreen(key);
  useForgotten(fresh ? key : null);
  const { data, error, isLoading, isValidating, mutate } = useSWR<Awaited<ReturnType<typeof fetcher>>, unknown>(key, fetcher, {
    ...settings,
    refreshInterval: pollMilliseconds,
  });
  // SWR polls no more after a failure; whoever polls wants to see that it works again.
  useEffect(() => {
    if (pollMilliseconds === 0 || error === undefined) return;
    const again = () => document.hidden || void mutate().catch(() => undefined);
    const timer = setInterval(again, pollMilliseconds);
    return () => clearInterval(timer);
  }, [pollMilliseconds, error, mutate]);
  return {
    data: data?.answer,
    receivedAt: data?.receivedAt,
    error,
    isLoading,
    isRefreshing: isValidating,
    refresh: () => void mutate().catch(() => undefined),
  };
};
