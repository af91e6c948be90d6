import type { ResponseOf, Route } from "@vitaline/contract";
import useSWR from "swr";
import { addressOf, type Request } from "./call.ts";
import { useOnScreen } from "./on-screen.ts";
import { readAll } from "./read-all.ts";
import { settings, type Loaded } from "./use-api.ts";

/** A list that answers in pages, read to its end: for what one chooses from. What one looks through is usePages' matter. */
export const useAll = <R extends Route>(route: R, request: Request<R>): Loaded<ResponseOf<R>> => {
  const key = `${addressOf(route, request)}#all`;
  useOnScreen(key);
  const fetcher = async () => ({ answer: await readAll(route, request), receivedAt: new Date() });
  const { data, error, isLoading, isValidating, mutate } = useSWR<Awaited<ReturnType<typeof fetcher>>, unknown>(key, fetcher, settings);
  return {
    data: data?.answer,
    receivedAt: data?.receivedAt,
    error,
    isLoading,
    isRefreshing: isValidating,
    refresh: () => void mutate().catch(() => undefined),
  };
};
