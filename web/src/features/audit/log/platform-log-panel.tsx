import { platformAudit, type PlatformAuditLog } from "@vitaline/contract";
import { useSearchParams } from "react-router-dom";
import { useSWRConfig } from "swr";
import { Panel } from "../../../components/layout/panel.tsx";
import { InlineSelect } from "../../../components/form/inline-select.tsx";
import { formatTimeZone, useZone } from "../../../lib/format/times.ts";
import { dayIn, daysAfter } from "../../../lib/format/zone-day.ts";
import { AuditDetail } from "./audit-detail.tsx";
import { areSameFilters, type AuditFilters, readFilters, toQuery, writeFilters } from "./audit-filters.ts";
import { AuditLogList } from "./audit-log-list.tsx";
import { FilterForm } from "./filter-form.tsx";
import { useOpenedLog } from "./use-opened-log.ts";
import { organizationName, useOrganizationNames } from "../organization-names.ts";
import { addressOf } from "../../../lib/api/call.ts";
import { dropHidden } from "../../../lib/api/use-refresh.ts";
import { usePages } from "../../../lib/api/use-pages.ts";
import { isRecordId, useSearchValues } from "../../../lib/routing/search-params.ts";

const route = platformAudit.platformAuditLogs;
const pageSize = 10;

const PlatformLogPanel = () => {
  const { filters, tenantId, pages, choose, apply } = usePlatformLog();
  const { organizations } = useOrganizationNames();
  const { opened, setOpened, searchField, narrow } = useOpenedLog<PlatformAuditLog>(filters, apply);
  const { go } = useSearchValues();
  const zone = useZone();
  const isListed = tenantId === "" || organizations.some(({ id }) => id === tenantId);
  const options = [
    ["", "All organizations"] as const,
    ...(isListed ? [] : [[tenantId, tenantId] as const]),
    ...organizations.map(({ id, name }) => [id, name] as const),
  ];
  return (
    <Panel
      title="All Audit Events"
      description={`Who did what on the whole platform, newest first, without patient IDs. Times are in ${formatTimeZone(zone)}.`}
      actions={<InlineSelect label="Organization" value={tenantId} options={options} onPick={choose} />}
    >
      <FilterForm applied={filters} onApply={apply} searchField={searchField} firstDay={tenantId === "" ? feedStart(zone) : undefined} />
      <AuditLogList
        pages={pages}
        onOpen={setOpened}
        failed="Failed to fetch audit logs"
        {...(tenantId === "" && filters.search !== ""
          ? {
              nothing:
                "This list has no IDs of patients and calls, so a search for one finds nothing here. Choose the organization, or create an access report.",
            }
          : {})}
        more={[{ title: "Organization", cell: organizationName }]}
      />
      {opened === undefined ? null : (
        <AuditDetail
          log={opened}
          organization={organizationName(opened)}
          onClose={() => setOpened(undefined)}
          onNarrow={narrow}
          onReport={(person) => {
            setOpened(undefined);
            go({ person, report: undefined });
          }}
        />
      )}
    </Panel>
  );
};

/** The list of all organizations has 90 days. */
const feedStart = (zone: string): string => daysAfter(dayIn(zone, new Date()), -90);

/** `tenantId` is "" for all organizations. */
const usePlatformLog = () => {
  const [address, setAddress] = useSearchParams();
  const { cache } = useSWRConfig();
  const filters = readFilters(address);
  const named = address.get("organization");
  const tenantId = isRecordId(named) ? named : "";
  const zone = useZone();
  const pages = usePages(route, toRequest(filters, tenantId, zone));
  /** Refetches even for filters that were applied before. */
  const show = (next: AuditFilters, of: string): void => {
    if (areSameFilters(next, filters) && of === tenantId) return pages.refresh();
    dropHidden(cache, (key) => key === addressOf(route, toRequest(next, of, zone)));
    const to = writeFilters(address, next);
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

const toRequest = (filters: AuditFilters, tenantId: string, zone: string) => ({
  query: { ...toQuery({ ...filters, search: filters.search.trim() }, zone), limit: pageSize, ...(tenantId && { tenantId }) },
});

export default PlatformLogPanel;
