import type { ResponseOf, Route } from "@vitaline/contract";
import { useEffect, useState } from "react";
import useSWR, { type SWRConfiguration, type SWRResponse, useSWRConfig } from "swr";
import { addressOf, call, type Request } from "./call.ts";
import { isOnScreen, useMarkDisplayed } from "./use-refresh.ts";

/** Data stays until a refresh: no retries, no revalidation on focus or reconnect. */
export const settings: SWRConfiguration = {
  shouldRetryOnError: false,
  revalidateIfStale: false,
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  // SWR would not repeat a request of the last two seconds, and would wait forever for a dropped one.
  dedupingInterval: 0,
};

export type Loaded<T> = {
  data: T | undefined;
  /** The time of the displayed data. */
  receivedAt: Date | undefined;
  error: unknown;
  isLoading: boolean;
  isRefreshing: boolean;
  refresh: () => void;
};

export type Received<T> = { answer: T; receivedAt: Date };

export const loadedFrom = <T>({ data, error, isLoading, isValidating, mutate }: SWRResponse<Received<T>, unknown>): Loaded<T> => ({
  data: data?.answer,
  receivedAt: data?.receivedAt,
  error,
  isLoading,
  isRefreshing: isValidating,
  refresh: () => void mutate().catch(() => undefined),
});

type Options = {
  /** Polling interval while the page is visible. */
  pollMilliseconds?: number;
  /** false delays the request. */
  when?: boolean;
  /** Reads for this component alone: a form must start with the current record. */
  fresh?: boolean;
};

let visits = 0;

/** Drops data that no other component reads. */
const useDropUnshared = (key: string | null): void => {
  const { cache, mutate } = useSWRConfig();
  useEffect(() => {
    if (key === null) return;
    const forget = () => {
      if (isOnScreen(cache, key)) return;
      // Set to undefined first, so that a running request does not bring it back.
      const forgotten = mutate(key, undefined, { revalidate: false }).then(() => isOnScreen(cache, key) || cache.delete(key));
      // Rejects if the cache was dropped with the session.
      forgotten.catch(() => undefined);
    };
    // React's strict mode unmounts and remounts a component at once.
    return () => queueMicrotask(forget);
  }, [cache, key, mutate]);
};

/** Reads a route. Components that read the same address share one request. */
export const useApi = <R extends Route>(
  route: R,
  request: Request<R>,
  { pollMilliseconds = 0, when = true, fresh = false }: Options = {},
): Loaded<ResponseOf<R>> => {
  const [visit] = useState(() => (visits += 1));
  const fetcher = async () => ({ answer: await call(route, request), receivedAt: new Date() });
  const key = when ? addressOf(route, request) + (fresh ? `#${visit}` : "") : null;
  useMarkDisplayed(key);
  useDropUnshared(fresh ? key : null);
  const loading = useSWR<Received<ResponseOf<R>>, unknown>(key, fetcher, { ...settings, refreshInterval: pollMilliseconds });
  const { error, mutate } = loading;
  // SWR stops polling after a failure.
  useEffect(() => {
    if (pollMilliseconds === 0 || error === undefined) return;
    const again = () => document.hidden || void mutate().catch(() => undefined);
    const timer = setInterval(again, pollMilliseconds);
    return () => clearInterval(timer);
  }, [pollMilliseconds, error, mutate]);
  return loadedFrom(loading);
};
