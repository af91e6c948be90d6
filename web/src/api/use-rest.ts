import { useEffect, useRef } from "react";
import type { LoadedPages } from "./use-pages.ts";

type Pages = Pick<LoadedPages<unknown>, "data" | "receivedAt" | "hasMore" | "isLoadingMore" | "moreError" | "loadMore">;

/** Reads a list on to its end, page by page, as long as it has to be known as a whole: to search or to sort it. */
export const useRest = ({ data, receivedAt, hasMore, isLoadingMore, moreError, loadMore }: Pages, isWanted: boolean): void => {
  const asked = useRef("");
  useEffect(() => {
    // A further page may bring no row at all, so what was asked for is forgotten as soon as it is on its way.
    if (isLoadingMore) asked.current = "";
    const place = `${receivedAt?.getTime()} ${data?.length}`;
    if (!isWanted || !hasMore || isLoadingMore || moreError !== undefined || asked.current === place) return;
    asked.current = place;
    loadMore();
  });
};
