import type { ResponseOf, Route } from "@vitaline/contract";
import { useLayoutEffect, useRef, useState } from "react";
import useSWR, { useSWRConfig } from "swr";
import { addressOf, callPage, type Page, type Request } from "./call.ts";
import { dropHidden, isOfRoute, useMarkDisplayed } from "./use-refresh.ts";
import { type Loaded, settings } from "./use-api.ts";

export type LoadedPages<Row> = Loaded<Row[]> & {
  hasMore: boolean;
  isLoadingMore: boolean;
  /** The error of the last further page. */
  moreError: unknown;
  loadMore: () => void;
  /**
   * Replaces a row by its id after a change, so that the list keeps its further pages. Hidden lists of the same rows are read
   * again when they are shown.
   */
  replace: (row: Row) => void;
};

/** A filtered page may be empty and still have a next one: at most this many are read without asking. */
const maxEmptyPages = 5;

type Rows = readonly unknown[];
type First<R extends Route> = Page<ResponseOf<R>> & { receivedAt: Date };

const readUntilRows = async <R extends Route>(route: R, request: Request<R>, cursor?: string): Promise<Page<ResponseOf<R>>> => {
  let next: string | null | undefined = cursor;
  for (let pages = 1; ; pages++) {
    const query: object = { ...(request as { query?: object }).query, ...(next ? { cursor: next } : {}) };
    const page: Page<ResponseOf<R>> = await callPage(route, { ...request, query } as Request<R>);
    if ((page.answer as Rows).length > 0 || page.next === null || pages === maxEmptyPages) return page;
    next = page.next;
  }
};

/** A row about a tenant has the tenant's id. */
const idOf = (row: unknown): unknown => {
  const { id, tenantId } = row as { id?: unknown; tenantId?: unknown };
  return id ?? tenantId;
};
const withRow = (rows: Rows, row: unknown): Rows => rows.map((one) => (idOf(one) === idOf(row) ? row : one));

/** Reads a paged route: the first page at once, further pages on request. A refresh starts over. */
export const usePages = <R extends Route>(
  route: R,
  request: Request<R>,
): LoadedPages<ResponseOf<R> extends readonly (infer Row)[] ? Row : never> => {
  type Row = ResponseOf<R> extends readonly (infer One)[] ? One : never;
  const address = addressOf(route, request);
  const { cache } = useSWRConfig();
  useMarkDisplayed(address);
  const {
    data: first,
    error,
    isLoading,
    isValidating,
    mutate,
  } = useSWR<First<R>, unknown>(address, async () => ({ ...(await readUntilRows(route, request)), receivedAt: new Date() }), settings);
  // Further pages belong to one reading of the first page, identified by its time.
  const reading = first?.receivedAt;
  const shownReading = useRef(reading);
  useLayoutEffect(() => {
    shownReading.current = reading;
  }, [reading]);
  const [further, setFurther] = useState<{ of: Date; pages: Page<ResponseOf<R>>[] }>();
  const [more, setMore] = useState<{ of: Date; isLoading: boolean; error?: unknown }>();

  const pages = first === undefined ? undefined : [first, ...(further !== undefined && further.of === reading ? further.pages : [])];
  const next = pages?.at(-1)?.next ?? null;
  const isOfThese = more !== undefined && more.of === reading;
  const isLoadingMore = isOfThese && more.isLoading;

  const loadMore = async (): Promise<void> => {
    if (!reading || next === null || isLoadingMore) return;
    // A late page of another list must be ignored.
    const isStillShown = (): boolean => shownReading.current === reading;
    setMore({ of: reading, isLoading: true });
    try {
      const page = await readUntilRows(route, request, next);
      if (!isStillShown()) return;
      setFurther((known) => ({ of: reading, pages: [...(known?.of === reading ? known.pages : []), page] }));
      setMore({ of: reading, isLoading: false });
    } catch (failure) {
      if (isStillShown()) setMore({ of: reading, isLoading: false, error: failure });
    }
  };

  const replace = (row: Row): void => {
    const within = <P extends Page<ResponseOf<R>>>(page: P): P => ({ ...page, answer: withRow(page.answer as Rows, row) });
    // Rejects if the cache was dropped with the session.
    mutate((known) => known && within(known), { revalidate: false }).catch(() => undefined);
    setFurther((known) => known && { ...known, pages: known.pages.map(within) });
    dropHidden(cache, isOfRoute(route));
  };

  return {
    data: pages?.flatMap(({ answer }) => answer as Row[]),
    receivedAt: first?.receivedAt,
    error,
    isLoading,
    isRefreshing: isValidating,
    refresh: () => void mutate().catch(() => undefined),
    hasMore: next !== null,
    isLoadingMore,
    moreError: isOfThese ? more.error : undefined,
    loadMore: () => void loadMore(),
    replace,
  };
};
