import { expect, test } from "vitest";
import { formatDetail } from "./audit-format.ts";

test("formats booleans, numbers and lists of details", () => {
  expect([true, false, 3600, "name,phone", ""].map(formatDetail)).toEqual(["Yes", "No", "3,600", "name, phone", ""]);
});
