import type { Office, OfficeChange } from "@vitaline/contract";
import { isAppError, notFound } from "@vitaline/core";
import { create, keys, nextVersion, onFreshRead, remove, update, type OfficeRow, type TenantContext, type Write } from "@vitaline/store";
import { applied, changeOf, differing, type Fields } from "@vitaline/tenants";
import { asOffice, listedOf, nameTaken } from "./office.ts";
import { wholeHours } from "./whole-hours.ts";

const claimOf = (name: string): string => keys.officeName(name).at("").sk;

/** The old name is free and the new one taken in the same moment; another way to write the same name keeps its claim. */
const moveName = ({ id, name: before }: OfficeRow, name: string | null | undefined): Write[] =>
  !name || claimOf(name) === claimOf(before)
    ? []
    : [create(keys.officeName(name), { id }), remove(keys.officeName(before), { equals: { id } })];

/**
 * Changes an office; unchanged, and unaudited, where nothing differs. AppError `not_found` for an office that is not this
 * tenant's, `duplicate` for a taken name, `invalid_request` for hours that end before they start, `stale_version` when `ifMatch` is not its version.
 */
export const updateOffice = (ctx: TenantContext, officeId: string, input: OfficeChange, ifMatch?: number): Promise<Office> =>
  onFreshRead(ifMatch, async () => {
    const [tenant, office] = await ctx.store.batchGet([keys.tenantConfig(), keys.office(officeId)]);
    if (!tenant || !office) throw notFound();
    const { version, asRead } = nextVersion(office, ifMatch);
    const form: Fields<OfficeRow> = {
      ...input,
      ...wholeHours(tenant, office, input),
    };
    const fields = differing(office, form);
    const changed = Object.keys(fields);
    if (changed.length === 0) return asOffice(office);

    const all: Fields<OfficeRow> = { ...fields, version };
    try {
      await ctx.store.commit(
        [
          ...moveName(office, fields.name),
          update(keys.office(officeId), changeOf<OfficeRow>(all), asRead),
          update(keys.officeDirectory(officeId), changeOf<OfficeRow>(listedOf(all)), { exists: true }),
        ],
        {
          category: "configuration_change",
          action: "office.update",
          resourceType: "Office",
          resourceId: officeId,
          detail: { changed: changed.join(",") },
        },
      );
    } catch (error) {
      throw isAppError(error, "duplicate") ? nameTaken(error) : error;
    }
    return asOffice(applied(office, all));
  });
