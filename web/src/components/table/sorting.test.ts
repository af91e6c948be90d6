import { describe, expect, test } from "vitest";
import { inOrder, readOrder, writeOrder } from "./sorting.tsx";

const rows = [{ name: "Zoe" }, { name: "Éva" }, { name: "office 10" }, { name: "Office 9" }];
const values = { name: (row: { name: string }) => row.name };

describe("the order of a table", () => {
  test.each(["name", "-name"])("is in the address as %s", (text) => {
    const order = readOrder(text, ["name", "created"]);
    expect(order && writeOrder(order)).toBe(text);
  });

  test.each([undefined, "", "-", "nobody", "-nobody", "__proto__"])("is the list's own where the address has %s", (text) => {
    expect(readOrder(text, ["name"])).toBeUndefined();
    expect(inOrder(rows, values, undefined)).toBe(rows);
  });

  test("is as people sort: without regard to case and accents, and numbers by their size", () => {
    const sorted = inOrder(rows, values, { name: "name", direction: "ascending" });
    expect(sorted.map(({ name }) => name)).toEqual(["Éva", "Office 9", "office 10", "Zoe"]);
    expect(inOrder(rows, values, { name: "name", direction: "descending" })).toEqual(sorted.toReversed());
  });
});
