import { expect, test } from "vitest";
import { idSuffix, findDuplicateNames } from "./agent-labels.ts";

test("detects agents with the same name", () => {
  const isDuplicate = findDuplicateNames([{ agentName: "Desk" }, { agentName: "Desk" }, { agentName: "Night" }]);
  expect(isDuplicate({ agentName: "Desk" })).toBe(true);
  expect(isDuplicate({ agentName: "Night" })).toBe(false);
});

test("shows a short ID in full, the end of a long one, and none that equals the name", () => {
  const agentName = "Desk";
  expect(idSuffix({ agentName, externalAgentId: "agent-2" })).toEqual(["ID agent-2"]);
  expect(idSuffix({ agentName, externalAgentId: "Desk" })).toEqual([]);
  expect(idSuffix({ agentName, externalAgentId: "4f0c2f6e-8a51-4c3d-9c1b-77de41c7a90b" })).toEqual(["ID ends in 41c7a90b"]);
});
