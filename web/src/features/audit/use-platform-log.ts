import { platformAudit } from "@vitaline/contract";
import { useSearchParams } from "react-router-dom";
import { useSWRConfig } from "swr";
import { addressOf } from "../../lib/api/call.ts";
import { forgetUnseen } from "../../lib/api/use-refresh.ts";
import { usePages } from "../../lib/api/use-pages.ts";
import { isRecordId } from "../../lib/routing/search-params.ts";
import { type AuditFilters, areSame, filtersIn, queryOf, withFilters } from "./audit-filters.ts";

const route = platformAudit.platformAuditLogs;
/** Other panels stand on the same page. */
const pageSize = 10;

const requestOf = (filters: AuditFilters, tenantId: string) => ({
  query: { ...queryOf({ ...filters, search: filters.search.trim() }), limit: pageSize, ...(tenantId && { tenantId }) },
});

/** The applied filters and the chosen organization ("" for all), which the address holds, and what the log has for them. */
export const usePlatformLog = () => {
  const [address, setAddress] = useSearchParams();
  const { cache } = useSWRConfig();
  const filters = filtersIn(address);
  const named = address.get("organization");
  const tenantId = isRecordId(named) ? named : "";
  const pages = usePages(route, requestOf(filters, tenantId));
  /** Whoever chooses wants the log as it is now, also what was chosen before. */
  const show = (next: AuditFilters, of: string): void => {
    if (areSame(next, filters) && of === tenantId) return pages.refresh();
    forgetUnseen(cache, (key) => key === addressOf(route, requestOf(next, of)));
    const to = withFilters(address, next);
    if (of === "") to.delete("organization");
    else to.set("organization", of);
    setAddress(to);
  };
  return {
    filters,
    tenantId,
    pages,
    apply: (next: AuditFilters) => show(next, tenantId),
    choose: (of: string) => show(filters, of),
  };
};
