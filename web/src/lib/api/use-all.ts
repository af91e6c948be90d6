import type { ResponseOf, Route } from "@vitaline/contract";
import useSWR from "swr";
import { useEffect, useRef } from "react";
import { addressOf, callPage, type Request } from "./call.ts";
import { useMarkDisplayed } from "./use-refresh.ts";
import { type Loaded, loadedFrom, type Received, settings } from "./use-api.ts";
import type { LoadedPages } from "./use-pages.ts";

type Pages = Pick<LoadedPages<unknown>, "data" | "receivedAt" | "hasMore" | "isLoadingMore" | "moreError" | "loadMore">;

/** Loads all further pages of a list while it needs to be complete, for a search or an order. */
export const useRest = ({ data, receivedAt, hasMore, isLoadingMore, moreError, loadMore }: Pages, isWanted: boolean): void => {
  const asked = useRef("");
  useEffect(() => {
    // A page may contain no rows, so the request is forgotten as soon as it runs.
    if (isLoadingMore) asked.current = "";
    const place = `${receivedAt?.getTime()} ${data?.length}`;
    if (!isWanted || !hasMore || isLoadingMore || moreError !== undefined || asked.current === place) return;
    asked.current = place;
    loadMore();
  });
};

/** Reads all pages, one request at a time. Throws as `call` does. */
export const readAll = async <R extends Route>(route: R, request: Request<R>): Promise<ResponseOf<R>> => {
  const { answer, next } = await callPage(route, request);
  if (next === null || !Array.isArray(answer)) return answer;
  const rows: unknown[] = [...answer];
  for (let cursor: string | null = next; cursor !== null;) {
    const query: object = { ...(request as { query?: object }).query, cursor };
    const page = await callPage(route, { ...request, query } as Request<R>);
    rows.push(...(page.answer as unknown[]));
    cursor = page.next;
  }
  return rows as ResponseOf<R>;
};

/** Reads all pages of a list, for selects. For browsing, use usePages. */
export const useAll = <R extends Route>(route: R, request: Request<R>): Loaded<ResponseOf<R>> => {
  const key = `${addressOf(route, request)}#all`;
  useMarkDisplayed(key);
  const fetcher = async () => ({ answer: await readAll(route, request), receivedAt: new Date() });
  return loadedFrom(useSWR<Received<ResponseOf<R>>, unknown>(key, fetcher, settings));
};
