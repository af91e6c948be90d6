import fc from "fast-check";
import { expect, test } from "vitest";
import { mergePage } from "./read-log.ts";

const id = (n: number): string => String(n).padStart(4, "0");

/** Reads all pages of some partitions; each Query returns at most `read` rows from `to` downwards, like the table. */
const pagesOf = (partitions: number[][], limit: number, read: number, keep: (row: { id: string }) => boolean) => {
  const pages: string[][] = [];
  let to: string | undefined;
  do {
    const parts = partitions.map((numbers) => {
      const all = numbers.map(id).toSorted().toReversed();
      const rest = all.filter((key) => to === undefined || key <= to);
      return { rows: rest.slice(0, read).map((key) => ({ id: key })), more: rest.length > read };
    });
    const { rows, next } = mergePage(parts, limit, keep);
    pages.push(rows.map((row) => row.id));
    to = next;
  } while (to !== undefined);
  return pages;
};

test("pages have every row of all partitions once, newest first, within the page size", () => {
  const numbers = fc.uniqueArray(fc.nat(9999), { maxLength: 60 });
  fc.assert(
    fc.property(
      numbers,
      fc.array(fc.nat(3), { minLength: 60, maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      (all, where, limit, even) => {
        const partitions = [0, 1, 2, 3].map((part) => all.filter((_, index) => where[index] === part));
        const keep = (row: { id: string }) => !even || Number(row.id) % 2 === 0;
        const pages = pagesOf(partitions, limit, limit + 1, keep);
        const wanted = all.map(id).filter((key) => keep({ id: key }));
        expect(pages.flat()).toEqual(wanted.toSorted().toReversed());
        for (const page of pages) expect(page.length).toBeLessThanOrEqual(limit);
        if (!even) for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit);
      },
    ),
  );
});
