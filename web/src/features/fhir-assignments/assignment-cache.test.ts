import type { TenantAssignments } from "@vitaline/contract";
import { expect, test } from "vitest";
import { findTarget, withAssignment, withoutProvider } from "./assignment-cache.ts";

const office = (id: string) => ({ id, name: `Office ${id}`, isActive: true, fhirProvider: null, version: 3 });
const row: TenantAssignments = {
  ...{ tenantId: "t", name: "Clinic", organizationType: "clinic", isActive: true, defaultFhirProvider: null, version: 7 },
  offices: [office("a"), office("b")],
};
const ehr = { id: "p", name: "EHR" };

test("a change updates the tenant's or the office's assignment and its version", () => {
  expect(withAssignment(row, { tenantId: "t" }, ehr, { version: 8 })).toEqual({ ...row, defaultFhirProvider: ehr, version: 8 });
  const changed = withAssignment(row, { tenantId: "t", officeId: "b" }, ehr, { version: 4 });
  expect(changed.offices).toEqual([office("a"), { ...office("b"), fhirProvider: ehr, version: 4 }]);
  expect(findTarget(changed, { tenantId: "t", officeId: "b" })).toEqual({ name: "Office b", assigned: ehr, version: 4 });
  expect(findTarget(changed, { tenantId: "t" })).toEqual({ name: "Clinic", assigned: null, version: 7 });
  expect(findTarget(changed, { tenantId: "t", officeId: "gone" })).toBeUndefined();
});

test("without an assignment, the offices that inherit it have no record system; an office falls back to the tenant's", () => {
  const own = { ...office("c"), fhirProvider: ehr };
  const closed = { ...office("d"), isActive: false };
  const assigned = { ...row, defaultFhirProvider: ehr, offices: [...row.offices, own, closed] };
  expect(withoutProvider(assigned, { tenantId: "t" }, ehr)).toEqual(["Office a", "Office b"]);
  expect(withoutProvider({ ...assigned, offices: [own] }, { tenantId: "t" }, ehr)).toEqual([]);
  expect(withoutProvider({ ...assigned, offices: [] }, { tenantId: "t" }, ehr)).toEqual(["Clinic"]);
  expect(withoutProvider(assigned, { tenantId: "t", officeId: "c" }, ehr)).toEqual([]);
  expect(withoutProvider({ ...assigned, defaultFhirProvider: null }, { tenantId: "t", officeId: "c" }, ehr)).toEqual(["Office c"]);
  expect(withoutProvider(row, { tenantId: "t" }, null)).toEqual([]);
});
