import { expect, test } from "vitest";
import { idSuffix, findDuplicateNames } from "./agent-labels.ts";

test("agents with one name are told from those whose name is their own", () => {
  const isOneOfSeveral = findDuplicateNames([{ agentName: "Desk" }, { agentName: "Desk" }, { agentName: "Night" }]);
  expect(isOneOfSeveral({ agentName: "Desk" })).toBe(true);
  expect(isOneOfSeveral({ agentName: "Night" })).toBe(false);
});

test("a short ID is shown whole, of a long one its end, and none that is the name itself", () => {
  const agentName = "Desk";
  expect(idSuffix({ agentName, externalAgentId: "agent-2" })).toEqual(["ID agent-2"]);
  expect(idSuffix({ agentName, externalAgentId: "Desk" })).toEqual([]);
  expect(idSuffix({ agentName, externalAgentId: "4f0c2f6e-8a51-4c3d-9c1b-77de41c7a90b" })).toEqual(["ID ends in 41c7a90b"]);
});
