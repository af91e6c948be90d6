import { expect, test } from "vitest";
import { quotedIn, rows, type Row } from "../../requirements/row.ts";

test("every row has a unique id, and quoted texts are read between quotes, not between apostrophes", () => {
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThan(500);
  const row = { requirement: "the tenant's 'Save Changes' and the user's 'Cancel' (a dialog's)" } as Row;
  expect(quotedIn(row)).toEqual(["Save Changes", "Cancel"]);
});
