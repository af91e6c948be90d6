import { expect, test } from "vitest";
import { changesTo, differences } from "./webhook-changes.ts";

const before = {
  url: "https://crm.example/",
  events: ["lead.captured" as const, "call.completed" as const],
  description: null,
  includeContact: false,
};

test("sends only changed fields; a blank description removes it, and the order of events does not matter", () => {
  const { description: _none, ...typed } = before;
  expect(changesTo(before, { ...typed, description: undefined, events: ["call.completed", "lead.captured"] })).toEqual({});
  expect(changesTo(before, { ...typed, description: "Ours", events: ["lead.captured"] })).toEqual({
    description: "Ours",
    events: ["lead.captured"],
  });
  expect(changesTo({ ...before, description: "Old" }, { ...typed, description: undefined })).toEqual({ description: null });
});

test("names the fields that another user has changed", () => {
  expect(differences(before, before)).toEqual([]);
  expect(differences(before, { ...before, url: "https://other.example/", includeContact: true })).toEqual([
    "address",
    "whether contact details are sent",
  ]);
});
