import type { Office } from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import type { OfficeRow } from "@vitaline/store";
import { messageTextsOf } from "@vitaline/tenants";

/** An office with what it has set for itself. */
export const asOffice = (row: OfficeRow): Office => ({
  id: row.id,
  name: row.name,
  address: row.address ?? null,
  phone: row.phone ?? null,
  email: row.email ?? null,
  isActive: row.isActive,
  staffCount: row.staffCount ?? null,
  businessHours: row.businessHours ?? null,
  staffRouting: row.staffRouting ?? [],
  messageTemplates: messageTextsOf(row.messageTemplates),
  fhirProviderId: row.fhirProviderId ?? null,
  createdAt: row.createdAt,
  version: row.version ?? 1,
});

/** What lists over all tenants do not hold: it is large, and they do not show it. */
const unlisted = ["staffCount", "businessHours", "staffRouting", "messageTemplates"] as const satisfies (keyof OfficeRow)[];

export const listedOf = <Part extends object>(fields: Part): Part =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !unlisted.some((field) => field === name))) as Part;

export const nameTaken = (cause: unknown): AppError =>
  new AppError("duplicate", "An office with this name already exists", {
    cause,
    fields: { name: "An office with this name already exists" },
  });
