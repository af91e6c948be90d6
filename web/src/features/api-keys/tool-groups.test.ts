import type { ListedTool } from "@vitaline/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { groupTools } from "./tool-groups.ts";

const tool = (name: string): ListedTool => ({
  name,
  title: name,
  description: "",
  effect: "read",
  level: 0,
  inputSchema: {},
  annotations: { title: name, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
});

test("every tool is in exactly one group, and no group is empty", () => {
  const known = ["verifyPatientIdentity", "sendSMS", "getFhirProviders", "scheduleAppointment"];
  const names = fc.uniqueArray(fc.oneof(fc.constantFrom(...known), fc.string()));
  fc.assert(
    fc.property(names, (all) => {
      const groups = groupTools(all.map(tool));
      expect(groups.flatMap(({ tools }) => tools.map(({ name }) => name)).toSorted()).toEqual(all.toSorted());
      expect(groups.every(({ tools }) => tools.length > 0)).toBe(true);
    }),
  );
});

test("the groups and their tools keep their order", () => {
  const groups = groupTools(["newTool", "sendEmail", "sendSMS", "getPatientInfo", "verifyPatientIdentity"].map(tool));
  expect(groups.map(({ name, tools }) => [name, tools.map((one) => one.name)])).toEqual([
    ["Patient management", ["verifyPatientIdentity", "getPatientInfo"]],
    ["Communication", ["sendSMS", "sendEmail"]],
    ["More", ["newTool"]],
  ]);
});
