import { check, keys, update, type Condition, type TenantRow, type Write } from "@vitaline/store";
import { maxVoiceProviders } from "@vitaline/tenants";

/** The default is stored only in the tenant's row, so that there is never more than one. */
const defaultUnchanged = ({ defaultVoiceProviderId, isActive }: TenantRow): Condition => ({
  exists: true,
  equals: { isActive, ...(defaultVoiceProviderId === undefined ? {} : { defaultVoiceProviderId }) },
  ...(defaultVoiceProviderId === undefined ? { absent: ["defaultVoiceProviderId"] } : {}),
});

/**
 * Adds one to the tenant's count of providers and, with `defaultId`, makes it the default. Its condition fails if the limit is
 * reached, if the tenant was activated or deactivated meanwhile, or if another default was chosen. `found` is the number of
 * providers now.
 */
export function countNewProvider(tenant: TenantRow, found: number, defaultId: string | undefined): Write {
  const when: Condition = defaultId === undefined ? { equals: { isActive: tenant.isActive } } : defaultUnchanged(tenant);
  const set = defaultId === undefined ? {} : { defaultVoiceProviderId: defaultId };
  const isCounted = tenant.voiceProviderCount !== undefined || found === 0;
  return isCounted
    ? update<TenantRow>(
        keys.tenantConfig(),
        { set, add: { voiceProviderCount: 1 } },
        { ...when, lessThanOrAbsent: { voiceProviderCount: maxVoiceProviders } },
      )
    : update<TenantRow>(
        keys.tenantConfig(),
        { set: { ...set, voiceProviderCount: found + 1 } },
        { ...when, absent: [...(when.absent ?? []), "voiceProviderCount"] },
      );
}

/**
 * Takes a provider from the tenant's count, and from its default. Its condition fails if another default was chosen, or if the
 * providers were counted meanwhile. `found` is their number before, where they are not counted yet.
 */
export function countDeletedProvider(tenant: TenantRow, found: number, id: string): Write {
  const isDefault = tenant.defaultVoiceProviderId === id;
  const isCounted = tenant.voiceProviderCount !== undefined;
  return update<TenantRow>(
    keys.tenantConfig(),
    {
      ...(isCounted ? {} : { set: { voiceProviderCount: found - 1 } }),
      add: { voiceProvidersDeleted: 1, ...(isCounted ? { voiceProviderCount: -1 } : {}) },
      ...(isDefault ? { remove: ["defaultVoiceProviderId"] } : {}),
    },
    {
      exists: true,
      ...(isDefault ? { equals: { defaultVoiceProviderId: id } } : {}),
      ...(isCounted ? {} : { absent: ["voiceProviderCount"] }),
    },
  );
}

/** Writes for a change of `isDefault`. */
export const defaultWrites = (tenant: TenantRow, id: string, isDefault: boolean | undefined): Write[] => {
  const isDefaultNow = tenant.defaultVoiceProviderId === id;
  if (isDefault === undefined || isDefault === isDefaultNow) return [];
  return isDefault
    ? [update<TenantRow>(keys.tenantConfig(), { set: { defaultVoiceProviderId: id } }, defaultUnchanged(tenant))]
    : [update<TenantRow>(keys.tenantConfig(), { remove: ["defaultVoiceProviderId"] }, defaultUnchanged(tenant))];
};

/** Fails if the tenant was activated or deactivated meanwhile, because the hook would then have the wrong state. */
export const tenantStateUnchanged = ({ isActive }: TenantRow): Write => check(keys.tenantConfig(), { equals: { isActive } });
