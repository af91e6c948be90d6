import type { ResponseOf, Route } from "@vitaline/contract";
import useSWR, { type SWRConfiguration } from "swr";
import { addressOf, call, type Request } from "./call.ts";

/** Data stays until someone asks again: no retries, never stale, nothing on focus or reconnect. */
const settings: SWRConfiguration = {
  shouldRetryOnError: false,
  revalidateIfStale: false,
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
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

/** Reads a row of the contract. Panels that read the same address share one request. */
export const useApi = <R extends Route>(route: R, request: Request<R>): Loaded<ResponseOf<R>> => {
  const fetcher = async () => ({ answer: await call(route, request), receivedAt: new Date() });
  const { data, error, isLoading, isValidating, mutate } = useSWR<Awaited<ReturnType<typeof fetcher>>, unknown>(
    addressOf(route, request),
    fetcher,
    settings,
  );
  return {
    data: data?.answer,
    receivedAt: data?.receivedAt,
    error,
    isLoading,
    isRefreshing: isValidating,
    refresh: () => void mutate().catch(() => undefined),
  };
};
