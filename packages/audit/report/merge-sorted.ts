import { awaitAllThenThrow } from "@vitaline/core";

/** Merges sorted lists that arrive in pages into one sorted list in pages of `perPage`. Holds one page of each list. */
export async function* mergeSorted<Row>(
  lists: readonly AsyncIterable<readonly Row[]>[],
  isBefore: (a: Row, b: Row) => boolean,
  perPage: number,
): AsyncGenerator<Row[]> {
  const open = await awaitAllThenThrow(lists.map(openList));
  let page: Row[] = [];
  for (;;) {
    let first: (typeof open)[number] | undefined;
    for (const list of open) if (list.head && (!first?.head || isBefore(list.head.row, first.head.row))) first = list;
    if (!first?.head) break;
    page.push(first.head.row);
    await first.advance();
    if (page.length === perPage) {
      yield page;
      page = [];
    }
  }
  if (page.length > 0) yield page;
}

const openList = async <Row>(pages: AsyncIterable<readonly Row[]>) => {
  const source = pages[Symbol.asyncIterator]();
  let page: readonly Row[] = [];
  let at = -1;
  const list = {
    head: undefined as { row: Row } | undefined,
    /** Synchronous within a page. */
    advance(): Promise<void> | undefined {
      at += 1;
      if (at < page.length) return void (list.head = { row: page[at] as Row });
      return readNextPage();
    },
  };
  const readNextPage = async (): Promise<void> => {
    for (;;) {
      const next = await source.next();
      list.head = undefined;
      if (next.done) return;
      [page, at] = [next.value, 0];
      const [row] = page;
      if (row === undefined) continue;
      list.head = { row };
      return;
    }
  };
  await readNextPage();
  return list;
};
