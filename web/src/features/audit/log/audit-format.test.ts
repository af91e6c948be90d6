import { expect, test } from "vitest";
import { formatDetail } from "./audit-format.ts";

test("values of a detail read as answers, numbers and lists", () => {
  expect([true, false, 3600, "name,phone", ""].map(formatDetail)).toEqual(["Yes", "No", "3,600", "name, phone", ""]);
});
