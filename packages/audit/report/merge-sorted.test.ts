import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeSorted } from "./merge-sorted.ts";

test("lists that arrive in pages come out as one in order, each row once, in pages of the size asked for", async () => {
  const list = fc.array(fc.nat(50), { maxLength: 20 }).map((rows) => rows.toSorted((a, b) => a - b));
  await fc.assert(
    fc.asyncProperty(
      fc.array(list, { maxLength: 5 }),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 7 }),
      async (lists, arriving, perPage) => {
        const inPages = async function* (rows: number[]) {
          for (let at = 0; at < rows.length; at += arriving) {
            yield rows.slice(at, at + arriving);
            yield [];
          }
        };
        const pages: number[][] = [];
        for await (const page of mergeSorted(lists.map(inPages), (a, b) => a < b, perPage)) pages.push(page);
        expect(pages.flat()).toEqual(lists.flat().toSorted((a, b) => a - b));
        for (const page of pages.slice(0, -1)) expect(page).toHaveLength(perPage);
      },
    ),
  );
});
