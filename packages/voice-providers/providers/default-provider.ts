import { check, keys, update, type Condition, type TenantRow, type Write } from "@vitaline/store";
import { mostVoiceProviders } from "@vitaline/tenants";

/** Which provider is the default stands in the tenant's row alone, so that naming one unnames the other. */
const asRead = ({ defaultVoiceProviderId, isActive }: TenantRow): Condition => ({
  exists: true,
  equals: { isActive, ...(defaultVoiceProviderId === undefined ? {} : { defaultVoiceProviderId }) },
  ...(defaultVoiceProviderId === undefined ? { absent: ["defaultVoiceProviderId"] } : {}),
});

/**
 * Counts a provider that is made, of which there are `found` now, so that there are never too many and whoever switches the tenant
 * meanwhile finds it; with `defaultId` it becomes the default: of two who saw the same one and name another, one is refused.
 */
export function countOneMore(tenant: TenantRow, found: number, defaultId: string | undefined): Write {
  const when: Condition = defaultId === undefined ? { equals: { isActive: tenant.isActive } } : asRead(tenant);
  const set = defaultId === undefined ? {} : { defaultVoiceProviderId: defaultId };
  const isCounted = tenant.voiceProviders !== undefined || found === 0;
  return isCounted
    ? update<TenantRow>(
        keys.tenantConfig(),
        { set, add: { voiceProviders: 1 } },
        { ...when, lessThanOrAbsent: { voiceProviders: mostVoiceProviders } },
      )
    : update<TenantRow>(
        keys.tenantConfig(),
        { set: { ...set, voiceProviders: found + 1 } },
        { ...when, absent: [...(when.absent ?? []), "voiceProviders"] },
      );
}

/** What a change of a provider writes for it to be the default, or not to be it any more. */
export const defaultWrites = (tenant: TenantRow, id: string, isDefault: boolean | undefined): Write[] => {
  const isNow = tenant.defaultVoiceProviderId === id;
  if (isDefault === undefined || isDefault === isNow) return [];
  return isDefault
    ? [update<TenantRow>(keys.tenantConfig(), { set: { defaultVoiceProviderId: id } }, asRead(tenant))]
    : [update<TenantRow>(keys.tenantConfig(), { remove: ["defaultVoiceProviderId"] }, asRead(tenant))];
};

/** Nobody has switched the tenant meanwhile, who would not have found the hook as it is written now. */
export const asSwitched = ({ isActive }: TenantRow): Write => check(keys.tenantConfig(), { equals: { isActive } });
