import { allDone, notFound } from "@vitaline/core";
import { check, keys, put, remove, update, type Condition } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";

/** In the place of an office: the assignment is the tenant's own. */
const wholeTenant = "-";

/**
 * Gives a tenant its record system, or takes it away with null. AppError `not_found` for an unknown tenant or provider,
 * `stale_version` when somebody else changed the assignment, or removed either of the two, at the same time.
 */
export async function assignFhirProvider(ctx: PlatformContext, tenantId: string, fhirProviderId: string | null): Promise<void> {
  const store = ctx.platform.inTenant(tenantId);
  const [tenant, provider] = await allDone([
    store.get(keys.tenantConfig()),
    fhirProviderId === null ? null : store.get(keys.fhirProvider(fhirProviderId)),
  ]);
  if (!tenant || provider === undefined) throw notFound();
  const before = tenant.fhirProviderId;
  if (before === (fhirProviderId ?? undefined)) return;

  const change = fhirProviderId === null ? { remove: ["fhirProviderId" as const] } : { set: { fhirProviderId } };
  const asRead: Condition =
    before === undefined ? { exists: true, absent: ["fhirProviderId"] } : { exists: true, equals: { fhirProviderId: before } };
  await store.commit(
    [
      update(keys.tenantConfig(), change, asRead),
      update(keys.tenantDirectory(), change, { exists: true }),
      ...(before === undefined ? [] : [remove(keys.fhirUsedBy(before, tenantId, wholeTenant))]),
      ...(fhirProviderId === null
        ? []
        : [
            put(keys.fhirUsedBy(fhirProviderId, tenantId, wholeTenant), { tenantId }),
            check(keys.fhirProvider(fhirProviderId), { exists: true }),
          ]),
    ],
    {
      category: "configuration_change",
      action: fhirProviderId === null ? "fhirProvider.unassign" : "fhirProvider.assign",
      resourceType: "Tenant",
      resourceId: tenantId,
      detail: { ...(fhirProviderId && { fhirProviderId }), ...(before && { before }) },
    },
  );
}
