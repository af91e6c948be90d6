import type { LeadDetail, LeadExport } from "@vitaline/contract";
import { minuteIn, awaitAllThenThrow, utcDate } from "@vitaline/core";
import { allRows, keys, type LeadRow, type OfficeRow, pagesOf, tenantTimeZone, type TenantContext } from "@vitaline/store";
import { stringify } from "csv-stringify/sync";
import { toLead, unsealLeadContact } from "./leads.ts";

const maxRows = 2000;
const perPage = 200;
const concurrency = 20;

type Column = { title: string; of(lead: LeadDetail): string };

const columns: readonly Column[] = [
  { title: "Lead", of: ({ id }) => id },
  { title: "Created (UTC)", of: ({ createdAt }) => createdAt },
  { title: "Reason", of: ({ reason }) => reason },
  { title: "Name", of: ({ contact }) => contact.name },
  { title: "Phone", of: ({ contact }) => contact.phone ?? "" },
  { title: "Email", of: ({ contact }) => contact.email ?? "" },
  { title: "Note", of: ({ contact }) => contact.note ?? "" },
  { title: "Call", of: ({ callId }) => callId ?? "" },
  { title: "Office", of: ({ officeId }) => officeId ?? "" },
  { title: "Handled (UTC)", of: ({ handledAt }) => handledAt ?? "" },
];

/** For readers: the same in the tenant's words and zone, after the columns that programs know. */
async function readableColumns(ctx: TenantContext): Promise<Column[]> {
  const [timeZone, offices] = await awaitAllThenThrow([
    tenantTimeZone(ctx),
    allRows<OfficeRow>(ctx.store, keys.tenantPartitions.config(ctx.tenantId), { prefix: "OFFICE#" }),
  ]);
  return [
    { title: `Created (${timeZone})`, of: ({ createdAt }) => minuteIn(timeZone, new Date(createdAt)) },
    { title: "Office name", of: ({ officeId }) => offices.find(({ id }) => id === officeId)?.name ?? "" },
  ];
}

type ExportRequest = { format: "csv" | "json"; handled?: boolean };

/**
 * The tenant's leads with their contacts, newest first, as JSON or CSV (RFC 4180, with spreadsheet formulas escaped). The audit row is
 * written before the answer is sent.
 */
export async function exportLeads(ctx: TenantContext, { format, handled }: ExportRequest): Promise<LeadExport> {
  const { rows, complete } = await readLeads(ctx, handled);
  const leads: LeadDetail[] = [];
  for (let from = 0; from < rows.length; from += concurrency)
    leads.push(
      ...(await Promise.all(
        rows.slice(from, from + concurrency).map(async (row) => ({ ...toLead(row), contact: await unsealLeadContact(ctx, row) })),
      )),
    );
  await ctx.store.commit([], {
    category: "patient_access",
    action: "lead.export",
    resourceType: "Lead",
    // Ids sort by time: the report of a patient's accesses tells by them whether a lead was in the file.
    detail: { rows: leads.length, format, ...(leads.length > 0 ? { newestId: leads[0]!.id, oldestId: leads.at(-1)!.id } : {}) },
  });
  return {
    fileName: `leads-${utcDate(ctx.clock())}.${format}`,
    contentType: format === "csv" ? "text/csv" : "application/json",
    rows: leads.length,
    complete,
    text: format === "csv" ? csvOf(leads, [...columns, ...(await readableColumns(ctx))]) : JSON.stringify(leads, undefined, 2),
  };
}

async function readLeads(ctx: TenantContext, handled: boolean | undefined): Promise<{ rows: LeadRow[]; complete: boolean }> {
  const rows: LeadRow[] = [];
  const range = { descending: true, limit: perPage } as const;
  for await (const page of pagesOf<LeadRow>(ctx.store, keys.tenantPartitions.leads(ctx.tenantId), range)) {
    rows.push(...page.filter((row) => handled === undefined || (row.handledAt !== undefined) === handled));
    if (rows.length > maxRows) return { rows: rows.slice(0, maxRows), complete: false };
  }
  return { rows, complete: true };
}

const csvOf = (leads: LeadDetail[], titled: readonly Column[]): string =>
  stringify([titled.map(({ title }) => title), ...leads.map((lead) => titled.map(({ of }) => of(lead)))], {
    escape_formulas: true,
    record_delimiter: "windows",
    quoted_match: /[\r\n]/,
  });
