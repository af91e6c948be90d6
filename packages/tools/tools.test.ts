import { ownToolLevels } from "@vitaline/contract";
import { expect, test } from "vitest";
import { listTools } from "./index.ts";

test("the levels that a tenant can only raise are those that the tools ask for of themselves", () => {
  const levels = Object.fromEntries(listTools().map(({ name, level }) => [name, level]));
  expect(Object.fromEntries(Object.keys(ownToolLevels).map((name) => [name, levels[name]]))).toEqual(ownToolLevels);
});
