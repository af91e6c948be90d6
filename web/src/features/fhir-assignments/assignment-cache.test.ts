import type { TenantAssignments } from "@vitaline/contract";
import { expect, test } from "vitest";
import { findTarget, withAssignment } from "./assignment-cache.ts";

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
