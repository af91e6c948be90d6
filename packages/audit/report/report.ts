import { idFloor } from "@vitaline/core";
import { auditCategories, type AuditCategory, type AuditRow, type CallRow, pagesOf, type Store } from "@vitaline/store";
import { partitions, tenantPartitions } from "@vitaline/store/keys.ts";
import { withoutPatient } from "../feed/feed.ts";
import { filterOf } from "../search/filter.ts";
import { mergeLists } from "./merge-sorted.ts";
import { reportOfAudit, reportOfCall, type ReportRow } from "./report-row.ts";
import { monthsBetween } from "../log/read-log.ts";

/** What a report holds. `tenantIds` with undefined among them: what the platform's own log says. */
type ReportScope = {
  tenantIds: AsyncIterable<string | undefined>;
  fromMs: number;
  /** Not included. */
  untilMs: number;
  /** Filters of the audit log's screen. Conversations do not stand there, so a filtered report holds none. */
  category?: AuditCategory;
  search?: string;
  /** Of all tenants at once: neither patients nor their calls are named, and a search does not find them. */
  namesPatients: boolean;
};
type Lister = Pick<Store<never>, "query">;

const pageRows = 500;

/**
 * The rows of a report, page by page: tenant after tenant, in each by time. Holds a page of each of its lists and no more,
 * however long they are.
 */
export async function* reportPages(store: Lister, scope: ReportScope): AsyncGenerator<ReportRow[]> {
  for await (const tenantId of scope.tenantIds) {
    yield* tenantPages(store, tenantId, scope);
    // So that whoever waits hears of it also where many tenants have nothing.
    yield [];
  }
}

const tenantPages = (store: Lister, tenantId: string | undefined, scope: ReportScope): AsyncGenerator<ReportRow[]> => {
  const categories = scope.category ? [scope.category] : auditCategories;
  const lists = categories.map((category) => auditPages(store, tenantId, category, scope));
  if (tenantId !== undefined && !scope.category && !scope.search) lists.push(callPages(store, tenantId, scope));
  return mergeLists(lists, isBefore, pageRows);
};

const isBefore = (a: ReportRow, b: ReportRow): boolean => (a.time === b.time ? a.id < b.id : a.time < b.time);

async function* auditPages(
  store: Lister,
  tenantId: string | undefined,
  category: AuditCategory,
  { fromMs, untilMs, search, namesPatients }: ReportScope,
): AsyncGenerator<ReportRow[]> {
  const isWanted = filterOf({ search }) ?? (() => true);
  const shown = namesPatients ? (row: AuditRow): AuditRow => row : withoutPatient;
  for (const month of monthsBetween(fromMs, untilMs)) {
    const partition =
      tenantId === undefined ? partitions.platformAudit(month, category) : tenantPartitions.audit(tenantId, month, category);
    const range = { from: idFloor(fromMs), to: idFloor(untilMs), limit: pageRows };
    for await (const rows of pagesOf<AuditRow>(store, partition, range)) yield rows.map(shown).filter(isWanted).map(reportOfAudit);
  }
}

async function* callPages(store: Lister, tenantId: string, { fromMs, untilMs, namesPatients }: ReportScope): AsyncGenerator<ReportRow[]> {
  const range = { index: "gsi1", from: new Date(fromMs).toISOString(), to: new Date(untilMs).toISOString(), limit: pageRows } as const;
  for await (const rows of pagesOf<CallRow>(store, tenantPartitions.calls(tenantId), range))
    yield rows.map((row) => reportOfCall(tenantId, row)).map((row) => (namesPatients ? row : { ...row, resourceId: "" }));
}
