import * as z from "zod/mini";
import { Id } from "../http/fields.ts";
import { OrganizationType } from "../tenants/tenants.ts";

/** null removes the assignment: a tenant then has no EHR, an office inherits its tenant's. */
export const FhirAssignment = z.strictObject({ fhirProviderId: z.nullable(Id) });

/** `version`: of the tenant or office, incremented by the assignment. */
export const FhirAssigned = z.object({ ...FhirAssignment.shape, version: z.number() });
export type FhirAssigned = z.infer<typeof FhirAssigned>;

const Assigned = z.nullable(z.object({ id: Id, name: z.string() }));
export const TenantAssignments = z.object({
  tenantId: Id,
  name: z.string(),
  organizationType: OrganizationType,
  isActive: z.boolean(),
  defaultFhirProvider: Assigned,
  version: z.number(),
  /** null: inherited from the tenant. */
  offices: z.array(z.object({ id: Id, name: z.string(), isActive: z.boolean(), fhirProvider: Assigned, version: z.number() })),
});
export type TenantAssignments = z.infer<typeof TenantAssignments>;
