import { ownToolLevels, toolTitles } from "@vitaline/contract";
import { expect, test } from "vitest";
import { toolSchemas } from "./engine/tool-schemas.ts";
import { loadTools } from "./tools.ts";

const tools = await loadTools();

test("the contract lists each level that a tenant may raise: every tool of level 1 or 2, with its own level", () => {
  const listed: Record<string, number> = ownToolLevels;
  for (const { name, level } of Object.values(tools)) if (level > 0 || name in listed) expect([name, listed[name]]).toEqual([name, level]);
  expect(Object.keys(listed).filter((name) => !(name in tools))).toEqual([]);
});

test("the contract names every tool as the tool names itself, and no other", async () => {
  const schemas = await toolSchemas();
  expect(toolTitles, "packages/contract/voice/tool-titles.ts").toEqual(Object.fromEntries(schemas.map(({ name, title }) => [name, title])));
  expect(Object.keys(toolTitles).toSorted()).toEqual(Object.keys(tools).toSorted());
});
