import type {
  ContactPreferences,
  ContactPreferencesChange,
  TenantChange,
  TenantProfile,
  TenantSettings,
  TenantSettingsChange,
} from "@vitaline/contract";
import { AppError, newId, notFound } from "@vitaline/core";
import {
  keys,
  nextVersion,
  onFreshRead,
  retentionOf,
  retentionRequest,
  type TenantContext,
  type TenantDirectoryRow,
  type TenantRow,
  tenantStore,
  update,
  type Write,
} from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { switchApiKeys } from "@vitaline/api-keys";
import { isDeepStrictEqual } from "node:util";
import { asTenant } from "./create.ts";
import { applied, changeOf, differing, type Fields } from "./partial-update.ts";
import { contactPreferencesOf, hoursAfter, settingsOf } from "./settings.ts";
import { sameProviders, switchHooks } from "./switch-hooks.ts";

const profileOf = (row: TenantRow): TenantProfile => ({ ...asTenant(row), ...settingsOf(row) });

/** A zone of its own is the one of the business hours too: agents and hours speak of the same clock. */
const inZone = (tenant: TenantRow, timeZone: string | undefined): Fields<TenantRow> => {
  if (timeZone === undefined || !tenant.contactPreferences) return { timeZone };
  const { businessHours } = tenant.contactPreferences;
  return { timeZone, contactPreferences: { ...tenant.contactPreferences, businessHours: { ...businessHours, timezone: timeZone } } };
};

/** Changes what an administrator of the platform may change. AppError as saveTenant, and `invalid_request`. */
export async function updateTenant(ctx: PlatformContext, tenantId: string, input: TenantChange, ifMatch?: number): Promise<TenantProfile> {
  const scoped: TenantContext = { ...ctx, tenantId, store: tenantStore(ctx, tenantId) };
  const { timeZone, policies, ...given } = input;
  const row = await saveTenant(scoped, "tenant.update", ifMatch, (tenant) => ({
    ...given,
    policies: policies && policiesAfter(tenant.policies, policies),
    ...inZone(tenant, timeZone),
  }));
  return profileOf(row);
}

/** What the change leaves out stays. AppError `invalid_request` where that does not go together. */
const preferencesAfter = (before: ContactPreferences, { businessHours, ...change }: ContactPreferencesChange): ContactPreferences => {
  const after = applied(before, { ...change, businessHours: hoursAfter(before.businessHours, businessHours ?? {}, "businessHours") });
  if (after[`${after.defaultMethod}Enabled`]) return after;
  const message = "Must be a method that is enabled";
  throw new AppError("invalid_request", message, { fields: { defaultMethod: message } });
};

const savePreferences = (ctx: TenantContext, change: ContactPreferencesChange, ifMatch: number | undefined): Promise<TenantRow> =>
  saveTenant(ctx, "tenant.contactPreferences", ifMatch, (tenant) => {
    const contactPreferences = preferencesAfter(contactPreferencesOf(tenant), change);
    return { contactPreferences, timeZone: contactPreferences.businessHours.timezone };
  });

/** The preferences as the platform's administrator saves them. AppError as saveTenant, and `invalid_request`. */
export const updateContactPreferencesOf = async (
  ctx: TenantContext,
  change: ContactPreferencesChange,
  ifMatch?: number,
): Promise<TenantProfile> => profileOf(await savePreferences(ctx, change, ifMatch));

/** The preferences as the tenant itself saves them. AppError as saveTenant, and `invalid_request`. */
export const updateContactPreferences = async (
  ctx: TenantContext,
  change: ContactPreferencesChange,
  ifMatch?: number,
): Promise<TenantSettings> => settingsOf(await savePreferences(ctx, change, ifMatch));

/** What a tenant sets for itself: the money that savings are counted by, the texts that go to patients. */
export const updateTenantSettings = async (ctx: TenantContext, input: TenantSettingsChange, ifMatch?: number): Promise<TenantSettings> =>
  settingsOf(await saveTenant(ctx, "tenant.settings", ifMatch, () => input));

/** What the list of tenants does not hold. */
const unlisted = ["epoch", "timeZone", "contactPreferences", "messageTemplates"] as const satisfies (keyof TenantRow)[];

const listedOf = (fields: Fields<TenantRow>): Fields<TenantDirectoryRow> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !unlisted.some((field) => field === name)));

/**
 * Changes a tenant and its row in the list. Switching it off ends its sessions and suspends its keys and hooks in the same
 * transaction; switching it on lets them work again. New periods of retention are asked to be applied in it, too. The row after it; unchanged, and unaudited, where nothing differs.
 * AppError `not_found`; `not_doable` for one that is being erased; `stale_version` when `ifMatch` is not its version.
 */
export const saveTenant = (
  ctx: TenantContext,
  action: string,
  ifMatch: number | undefined,
  fieldsFor: (tenant: TenantRow) => Fields<TenantRow>,
): Promise<TenantRow> =>
  onFreshRead(ifMatch, async () => {
    const tenant = await ctx.store.get(keys.tenantConfig());
    if (!tenant) throw notFound();
    if (tenant.erasureId) throw new AppError("not_doable", "This organization is being erased.");
    const { version, asRead } = nextVersion(tenant, ifMatch);
    const fields = differing(tenant, fieldsFor(tenant));
    const changed = Object.keys(fields);
    if (changed.length === 0) return tenant;

    const switched = fields.isActive === undefined ? undefined : fields.isActive === true;
    const known = switched === undefined ? undefined : sameProviders(tenant);
    const all: Fields<TenantRow> = { ...fields, version, ...(switched === false && { epoch: tenant.epoch + 1 }) };
    await ctx.store.commit(
      [
        update(keys.tenantConfig(), changeOf<TenantRow>(all), {
          ...asRead,
          // The key too must be the one that was read: another one, made meanwhile, would not be switched.
          equals: { ...asRead.equals, apiKeyId: tenant.apiKeyId, ...known?.equals },
          absent: [...(asRead.absent ?? []), ...(known?.absent ?? []), "erasureId"],
        }),
        update(keys.tenantDirectory(), changeOf<TenantDirectoryRow>(listedOf(all)), { exists: true }),
        ...retentionWrites(ctx, tenant, fields),
        ...(switched === undefined ? [] : [...(await switchApiKeys(ctx, tenant, switched)), ...(await switchHooks(ctx, tenant, switched))]),
      ],
      {
        category: "configuration_change",
        action,
        resourceType: "Tenant",
        resourceId: tenant.id,
        detail: { changed: changed.join(","), ...(switched !== undefined && { isActive: switched }) },
      },
    );
    return applied(tenant, all);
  });

type Policies = NonNullable<TenantRow["policies"]>;

/** What the change leaves out stays, each period too. AppError `invalid_request` where texts would outlive their call. */
function policiesAfter(before: Policies = {}, { retention, ...change }: NonNullable<TenantChange["policies"]>): Policies {
  const after: Policies = applied(before, { ...change, ...(retention && { retention: { ...before.retention, ...retention } }) });
  const { calls, transcripts } = retentionOf({ policies: after });
  if (transcripts <= calls) return after;
  const message = "Must not be longer than the call itself is kept";
  throw new AppError("invalid_request", message, { fields: { "policies.retention.transcripts": message } });
}

/** Writes that have new periods applied to what is stored already; none where they stay as they are. */
const retentionWrites = (ctx: TenantContext, tenant: TenantRow, { policies }: Fields<TenantRow>): Write[] => {
  const now = ctx.clock();
  const stays = !policies || isDeepStrictEqual(retentionOf(tenant), retentionOf({ policies }));
  return stays ? [] : retentionRequest(ctx.tenantId, newId(now.getTime()), now);
};
