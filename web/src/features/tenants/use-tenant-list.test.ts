import type { Tenant } from "@vitaline/contract";
import { expect, test } from "vitest";
import { isFound } from "./use-tenant-list.ts";

test("an organization is found by all words of its name, type and address, in any order", () => {
  const tenant = { name: "Riverside Family Clinic", organizationType: "urgent_care", contactEmail: "desk@river.example" } as Tenant;
  expect(["family RIVERSIDE", "urgent care", "desk@", "river clinic"].map((typed) => isFound(tenant, typed))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(isFound(tenant, "family lakeside")).toBe(false);
});
