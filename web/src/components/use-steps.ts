import { useState } from "react";
import type { LoadedPages } from "../api/use-pages.ts";

type Pages = Pick<LoadedPages<unknown>, "hasMore" | "isLoadingMore" | "moreError" | "loadMore">;
type Stepped<Row> = Pages & { data: Row[] };

const none: Pages = { hasMore: false, isLoadingMore: false, moreError: undefined, loadMore: () => undefined };

/** Shows long lists step by step, which a browser draws at once: what LoadMore is given. `pages` is where further rows come from. */
export const useSteps = <Row>(rows: readonly Row[], pages: Pages = none, step = 50): Stepped<Row> => {
  const [most, setMost] = useState(step);
  return {
    ...pages,
    data: rows.slice(0, most),
    hasMore: rows.length > most || pages.hasMore,
    loadMore: () => {
      setMost(most + step);
      if (rows.length < most + step && pages.hasMore) pages.loadMore();
    },
  };
};
