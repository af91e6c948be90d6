import { expect, test } from "vitest";
import { describeChange } from "./what-counts.tsx";

test("a change is told in percent, and from ten times on as a multiple", () => {
  expect([describeChange(112, 100), describeChange(30, 100), describeChange(100, 100)]).toEqual([
    "12% more than before",
    "70% fewer than before",
    "about as many as before",
  ]);
  expect([describeChange(99, 10), describeChange(100, 10), describeChange(607, 6)]).toEqual([
    "890% more than before",
    "about 10 times as many as before",
    "about 101 times as many as before",
  ]);
  expect([describeChange(5, 0), describeChange(5, undefined)]).toEqual([undefined, undefined]);
});
