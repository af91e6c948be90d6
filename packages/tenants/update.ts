import { isDeepStrictEqual } from "node:util";
import { setApiKeysActive } from "@vitaline/api-keys";
import type {
  ContactPreferences,
  ContactPreferencesChange,
  TenantChange,
  TenantProfile,
  TenantSettings,
  TenantSettingsChange,
} from "@vitaline/contract";
import { AppError, newId, notFound, type Context } from "@vitaline/core";
import {
  keys,
  nextVersion,
  retryOnStale,
  retentionOf,
  retentionRequest,
  tenantStore,
  update,
  type TenantContext,
  type TenantDirectoryRow,
  type TenantRow,
  type Write,
} from "@vitaline/store";
import { asTenant } from "./create.ts";
import { applyFields, toUpdate, changedFields, changedNames, type Fields } from "./partial-update.ts";
import { contactPreferencesOf, factsToStore, mergeHours, settingsOf } from "./settings.ts";
import { providersUnchanged, setHooksActive } from "./active-hooks.ts";

const profileOf = (row: TenantRow): TenantProfile => ({ ...asTenant(row), ...settingsOf(row) });

/** The business hours follow the tenant's time zone. */
const timeZoneFields = (tenant: TenantRow, timeZone: string | undefined): Fields<TenantRow> => {
  if (timeZone === undefined || !tenant.contactPreferences) return { timeZone };
  const { businessHours } = tenant.contactPreferences;
  return { timeZone, contactPreferences: { ...tenant.contactPreferences, businessHours: { ...businessHours, timezone: timeZone } } };
};

/** For a platform administrator. AppErrors as saveTenant, and `invalid_request`. */
export async function updateTenant(ctx: Context, tenantId: string, input: TenantChange, ifMatch?: number): Promise<TenantProfile> {
  const scoped: TenantContext = { ...ctx, tenantId, store: tenantStore(ctx, tenantId) };
  const { timeZone, policies, facts, ...given } = input;
  const row = await saveTenant(scoped, "tenant.update", ifMatch, (tenant) => ({
    ...given,
    facts: factsToStore(facts),
    policies: policies && mergePolicies(tenant.policies, policies),
    ...timeZoneFields(tenant, timeZone),
  }));
  return profileOf(row);
}

/** Keeps omitted fields. AppError `invalid_request` for a default method that is disabled. */
const mergePreferences = (before: ContactPreferences, { businessHours, ...change }: ContactPreferencesChange): ContactPreferences => {
  const after = applyFields(before, { ...change, businessHours: mergeHours(before.businessHours, businessHours ?? {}, "businessHours") });
  if (after[`${after.defaultMethod}Enabled`]) return after;
  const message = "Must be a method that is enabled";
  throw new AppError("invalid_request", message, { fields: { defaultMethod: message } });
};

const savePreferences = (ctx: TenantContext, change: ContactPreferencesChange, ifMatch: number | undefined): Promise<TenantRow> =>
  saveTenant(ctx, "tenant.contactPreferences", ifMatch, (tenant) => {
    const contactPreferences = mergePreferences(contactPreferencesOf(tenant), change);
    return { contactPreferences, timeZone: contactPreferences.businessHours.timezone };
  });

/** For a platform administrator. AppErrors as saveTenant, and `invalid_request`. */
export const updateContactPreferencesOf = async (
  ctx: TenantContext,
  change: ContactPreferencesChange,
  ifMatch?: number,
): Promise<TenantProfile> => profileOf(await savePreferences(ctx, change, ifMatch));

/** For the tenant. AppErrors as saveTenant, and `invalid_request`. */
export const updateContactPreferences = async (
  ctx: TenantContext,
  change: ContactPreferencesChange,
  ifMatch?: number,
): Promise<TenantSettings> => settingsOf(await savePreferences(ctx, change, ifMatch));

export const updateTenantSettings = async (ctx: TenantContext, input: TenantSettingsChange, ifMatch?: number): Promise<TenantSettings> =>
  settingsOf(await saveTenant(ctx, "tenant.settings", ifMatch, () => ({ ...input, facts: factsToStore(input.facts) })));

/** Fields of the tenant that lists over all tenants do not show. */
const omittedFromDirectory: Record<Exclude<keyof TenantRow, keyof TenantDirectoryRow>, true> = {
  epoch: true,
  apiKeyId: true,
  retiringApiKeyId: true,
  voiceProviderCount: true,
  voiceProvidersDeleted: true,
  timeZone: true,
  contactPreferences: true,
  messageTemplates: true,
  spanishMessageTemplates: true,
  language: true,
  facts: true,
  erasureId: true,
};

const directoryFields = (fields: Fields<TenantRow>): Fields<TenantDirectoryRow> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in omittedFromDirectory)));

/**
 * Saves the tenant and its directory row; unchanged and unaudited if nothing differs. Deactivation ends sessions and suspends keys
 * and hooks in the same transaction, activation resumes them. A new retention policy is scheduled in it too. AppError `not_found`;
 * `not_doable` for a tenant being erased; `stale_version` if `ifMatch` is not the current version.
 */
export const saveTenant = (
  ctx: TenantContext,
  action: string,
  ifMatch: number | undefined,
  fieldsFor: (tenant: TenantRow) => Fields<TenantRow>,
): Promise<TenantRow> =>
  retryOnStale(ifMatch, async () => {
    const tenant = await ctx.store.get(keys.tenantConfig());
    if (!tenant) throw notFound();
    if (tenant.erasureId) throw new AppError("not_doable", "This organization is being erased.");
    const { version, asRead } = nextVersion(tenant, ifMatch);
    const fields = changedFields(tenant, fieldsFor(tenant));
    if (Object.keys(fields).length === 0) return tenant;
    const changed = changedNames({ ...tenant, contactPreferences: contactPreferencesOf(tenant) }, fields);

    const switched = fields.isActive === undefined ? undefined : fields.isActive === true;
    const providers = switched === undefined ? undefined : providersUnchanged(tenant);
    const all: Fields<TenantRow> = { ...fields, version, ...(switched === false && { epoch: tenant.epoch + 1 }) };
    await ctx.store.commit(
      [
        update(keys.tenantConfig(), toUpdate<TenantRow>(all), {
          ...asRead,
          // A key issued meanwhile would not be suspended.
          equals: { ...asRead.equals, apiKeyId: tenant.apiKeyId, ...providers?.equals },
          absent: [...(asRead.absent ?? []), ...(providers?.absent ?? []), "erasureId"],
        }),
        update(keys.tenantDirectory(), toUpdate<TenantDirectoryRow>(directoryFields(all)), { exists: true }),
        ...retentionWrites(ctx, tenant, fields),
        ...(switched === undefined
          ? []
          : [...(await setApiKeysActive(ctx, tenant, switched)), ...(await setHooksActive(ctx, tenant, switched))]),
      ],
      {
        category: "configuration_change",
        action,
        resourceType: "Tenant",
        resourceId: tenant.id,
        detail: { changed: changed.join(","), ...(switched !== undefined && { isActive: switched }) },
      },
    );
    return applyFields(tenant, all);
  });

type Policies = NonNullable<TenantRow["policies"]>;

/** Keeps omitted periods. AppError `invalid_request` if transcripts would be kept longer than calls. */
function mergePolicies(before: Policies = {}, { retention, minors, ...change }: NonNullable<TenantChange["policies"]>): Policies {
  const after: Policies = applyFields(before, {
    ...change,
    ...(minors && { minors: { ...before.minors, ...minors } }),
    ...(retention && { retention: { ...before.retention, ...retention } }),
  });
  const { calls, transcripts } = retentionOf({ policies: after });
  if (transcripts <= calls) return after;
  const message = "Must not be longer than the call itself is kept";
  throw new AppError("invalid_request", message, { fields: { "policies.retention.transcripts": message } });
}

/** Empty if the retention periods stay the same. */
const retentionWrites = (ctx: TenantContext, tenant: TenantRow, { policies }: Fields<TenantRow>): Write[] => {
  const now = ctx.clock();
  const isUnchanged = !policies || isDeepStrictEqual(retentionOf(tenant), retentionOf({ policies }));
  return isUnchanged ? [] : retentionRequest(ctx.tenantId, newId(now.getTime()), now);
};
