import type { Range, Store } from "./store.ts";
import type { Key } from "./keys.ts";

type Lister = Pick<Store<Key<unknown>>, "query">;

/** A whole partition, or a stretch of it, page by page: for what has to see every row. An expired row may leave a page empty. */
export async function* pagesOf<Row>(store: Lister, partition: string, range: Omit<Range<Row>, "cursor"> = {}): AsyncGenerator<Row[]> {
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await store.query<Row>(partition, { ...range, cursor });
    yield page.rows;
    cursor = page.next;
  }
}

/** The same, row by row. */
export async function* rowsOf<Row>(store: Lister, partition: string, range: Omit<Range<Row>, "cursor"> = {}): AsyncGenerator<Row> {
  for await (const rows of pagesOf<Row>(store, partition, range)) yield* rows;
}

/** The same, all together: where there are not many. */
export async function allRows<Row>(store: Lister, partition: string, range: Omit<Range<Row>, "cursor"> = {}): Promise<Row[]> {
  const all: Row[] = [];
  for await (const rows of pagesOf<Row>(store, partition, range)) all.push(...rows);
  return all;
}
