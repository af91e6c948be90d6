import { ownToolLevels, toolCatalog } from "@vitaline/contract";
import { expect, test } from "vitest";
import { loadTools } from "./tools.ts";

const tools = await loadTools();

test("the contract lists each level that a tenant may raise: every tool of level 1 or 2, with its own level", () => {
  const listed: Record<string, number> = ownToolLevels;
  for (const { name, level } of Object.values(tools)) if (level > 0 || name in listed) expect([name, listed[name]]).toEqual([name, level]);
  expect(Object.keys(listed).filter((name) => !(name in tools))).toEqual([]);
});

test("the contract's catalog has every tool, and no other", () => {
  expect(Object.keys(toolCatalog).toSorted(), "packages/contract/tool-catalog.ts").toEqual(Object.keys(tools).toSorted());
});
