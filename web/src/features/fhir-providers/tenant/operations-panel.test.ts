import { expect, test } from "vitest";
import { availableOperations } from "./operations-panel.tsx";

test("lists the operations of active providers, and names the providers if not all allow it", () => {
  const tools = (["a", "b", "c"] as const).map((name) => ({ name, title: name.toUpperCase(), effect: "read" as const }));
  const at = (providerName: string, operations: string[], isActive = true) => ({ providerName, operations, isActive });
  expect(availableOperations([at("One", ["b", "a"]), at("Two", ["a"]), at("Off", ["c"], false)], tools)).toEqual([
    { name: "a", title: "A", effect: "read", onlyAt: [] },
    { name: "b", title: "B", effect: "read", onlyAt: ["One"] },
  ]);
  expect(availableOperations([], tools)).toEqual([]);
});
