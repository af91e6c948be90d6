import { idFloor } from "@vitaline/core";
import { auditCategories, type AuditCategory, type AuditRow, type CallRow, pagesOf, type Store } from "@vitaline/store";
import { partitions, tenantPartitions } from "@vitaline/store/keys.ts";
import type { DisplayNames } from "../log/display-names.ts";
import { redactPatient } from "../feed/feed.ts";
import { rowFilter } from "../search/filter.ts";
import { mergeSorted } from "./merge-sorted.ts";
import { auditReportRow, callReportRow, type ReportRow } from "./report-row.ts";
import { monthsBetween } from "../log/read-log.ts";

/** `tenantIds`: undefined stands for the platform's own log. */
type ReportScope = {
  tenantIds: AsyncIterable<string | undefined>;
  fromMs: number;
  /** Exclusive. */
  untilMs: number;
  /** The filters of the audit log's screen, which does not show calls, so a filtered report has none. */
  category?: AuditCategory;
  search?: string;
  /** False for reports over all tenants: ids of patients and calls are removed, also from the searched text. */
  namesPatients: boolean;
  names: DisplayNames;
  /** After each page that was read: a filter may keep no row of many pages. May throw to stop. */
  onRead(): Promise<void> | void;
};
type ReadStore = Pick<Store<never>, "query">;

const pageRows = 500;

/** The rows of a report in pages, tenant by tenant, each by time. Holds one page of each partition in memory. */
export async function* reportPages(store: ReadStore, scope: ReportScope): AsyncGenerator<ReportRow[]> {
  for await (const tenantId of scope.tenantIds) {
    yield* tenantPages(store, tenantId, scope);
    // An empty page lets the consumer send its heartbeat even if many tenants have no rows.
    yield [];
  }
}

const tenantPages = (store: ReadStore, tenantId: string | undefined, scope: ReportScope): AsyncGenerator<ReportRow[]> => {
  const categories = scope.category ? [scope.category] : auditCategories;
  const lists = categories.map((category) => auditPages(store, tenantId, category, scope));
  if (tenantId !== undefined && !scope.category && !scope.search) lists.push(callPages(store, tenantId, scope));
  return mergeSorted(lists, isBefore, pageRows);
};

const isBefore = (a: ReportRow, b: ReportRow): boolean => (a.time === b.time ? a.id < b.id : a.time < b.time);

async function* auditPages(
  store: ReadStore,
  tenantId: string | undefined,
  category: AuditCategory,
  { fromMs, untilMs, search, namesPatients, names, onRead }: ReportScope,
): AsyncGenerator<ReportRow[]> {
  const matches = rowFilter({ search }, (row) => [names.actorName(row), ...(namesPatients ? [] : [names.tenantName(row)])]) ?? (() => true);
  const redact = namesPatients ? (row: AuditRow): AuditRow => row : redactPatient;
  for (const month of monthsBetween(fromMs, untilMs)) {
    const partition =
      tenantId === undefined ? partitions.platformAudit(month, category) : tenantPartitions.audit(tenantId, month, category);
    const range = { from: idFloor(fromMs), to: idFloor(untilMs), limit: pageRows };
    for await (const rows of pagesOf<AuditRow>(store, partition, range)) {
      const shown = rows.map(redact);
      if (search !== undefined) await names.load(shown);
      const found = shown.filter(matches);
      await names.load(found);
      await onRead();
      yield found.map((row) => auditReportRow(row, names));
    }
  }
}

async function* callPages(
  store: ReadStore,
  tenantId: string,
  { fromMs, untilMs, namesPatients, names }: ReportScope,
): AsyncGenerator<ReportRow[]> {
  const range = { index: "gsi1", from: new Date(fromMs).toISOString(), to: new Date(untilMs).toISOString(), limit: pageRows } as const;
  for await (const rows of pagesOf<CallRow>(store, tenantPartitions.calls(tenantId), range)) {
    await names.loadTenant(tenantId);
    const tenantName = names.tenantName({ tenantId }) ?? "";
    const calls = rows
      .map((row) => callReportRow(tenantId, tenantName, row))
      .map((row) => (namesPatients ? row : { ...row, resourceId: "" }));
    // The index is in the order of the first reports, which may be another than that of the starts.
    yield calls.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
  }
}
