import { expect, test } from "vitest";
import { quotedIn, rows, type Row } from "../../requirements/row.ts";

test("every row has an id of its own, and texts are read from between quotes, not from between apostrophes", () => {
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThan(500);
  const row = { requirement: "the tenant's 'Save Changes' and the user's 'Cancel' (a dialog's)" } as Row;
  expect(quotedIn(row)).toEqual(["Save Changes", "Cancel"]);
});
