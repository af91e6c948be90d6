import type { Tenant } from "@vitaline/contract";
import { expect, test } from "vitest";
import { matchesSearch } from "./use-tenant-list.ts";

test("an organization is found by all words of its name, type and address, in any order", () => {
  const tenant = { name: "Riverside Family Clinic", organizationType: "urgent_care", contactEmail: "desk@river.example" } as Tenant;
  expect(["family RIVERSIDE", "urgent care", "desk@", "river clinic"].map((typed) => matchesSearch(tenant, typed))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(matchesSearch(tenant, "family lakeside")).toBe(false);
});
