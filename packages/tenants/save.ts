import { switchApiKeys } from "@vitaline/api-keys";
import { AppError, notFound } from "@vitaline/core";
import { keys, nextVersion, onFreshRead, update, type TenantContext, type TenantDirectoryRow, type TenantRow } from "@vitaline/store";
import { applied, changeOf, differing, type Fields } from "./edit.ts";
import { retentionWrites } from "./policies.ts";
import { sameProviders, switchHooks } from "./switch-hooks.ts";

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
