import { expect, test } from "vitest";
import { nextCursor } from "./link.ts";

test("the cursor of the next page is read as it was given out", () => {
  expect(nextCursor('</page?limit=2&cursor=abc%2B%2F%3D>; rel="next"')).toBe("abc+/=");
});

test("a list that has no further page has no cursor", () => {
  expect([null, "", '</page?limit=2>; rel="next"', '</page?cursor=x>; rel="prev"'].map(nextCursor)).toEqual([null, null, null, null]);
});
