import { loadTools, toolSchemas } from "@vitaline/tools";
import { expect, test } from "vitest";
import { mcpTools } from "./tool-list.ts";

const schemas = await toolSchemas();
const list = await mcpTools();

const tools = await loadTools();

test("the list is made once and handed out again: every tool, in the same order, under a name that every platform takes", async () => {
  expect(await mcpTools()).toBe(list);
  expect(list.map(({ name }) => name)).toEqual(Object.keys(tools));
  for (const { name } of list) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
});

test("every argument says in words what it is for", () => {
  for (const { name, inputSchema } of list)
    for (const [argument, { description }] of Object.entries(inputSchema.properties as Record<string, { description?: string }>))
      expect([name, argument, description]).toEqual([name, argument, expect.stringMatching(/\w+ \w+/)]);
});

const maxBytes = 22_000;

test("V12 the list with all tools is at most 22 KB, and no tool has lost an argument", () => {
  const answer = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { tools: list } });
  expect(Buffer.byteLength(answer), "bytes of the list; shorten descriptions of tools or arguments").toBeLessThanOrEqual(maxBytes);
  for (const { name, inputSchema } of list) {
    const { properties = {}, required } = schemas.find((tool) => tool.name === name)?.inputSchema ?? {};
    expect(inputSchema.properties).toMatchObject(properties);
    expect(Object.keys(inputSchema.properties ?? {})).toEqual([...Object.keys(properties), "callHandle"]);
    expect(inputSchema.required).toEqual(required);
  }
});
