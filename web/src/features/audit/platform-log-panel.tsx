import { type PlatformAuditLog, platformAudit } from "@vitaline/contract";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useSearchParams } from "react-router-dom";
import { useSWRConfig } from "swr";
import { addressOf } from "../../api/call.ts";
import { usePages } from "../../api/use-pages.ts";
import { Panel } from "../../components/panel.tsx";
import { Picker } from "../../components/picker.tsx";
import { useZone } from "../../format/zone.ts";
import { AuditDetail } from "./audit-detail.tsx";
import { type AuditFilters, areSame, filtersIn, noFilters, queryOf, withFilters } from "./audit-filters.ts";
import { AuditLogList } from "./audit-log-list.tsx";
import { FilterForm } from "./filter-form.tsx";
import { useOrganizationNames } from "./use-organization-names.ts";

/** Other panels stand below. */
const pageSize = 20;

const isId = (text: string): boolean => /^[0-9a-z]{26}$/.test(text);

/** The applied filters and the chosen organization, which the address holds, and what the log has for them. */
const usePlatformLog = () => {
  const [address, setAddress] = useSearchParams();
  const { mutate } = useSWRConfig();
  const filters = filtersIn(address);
  const named = address.get("organization") ?? "";
  const tenantId = isId(named) ? named : "";
  const of = (next: AuditFilters) => ({ query: { ...queryOf(next), limit: pageSize, ...(tenantId && { tenantId }) } });
  const pages = usePages(platformAudit.platformAuditLogs, of(filters));
  /** Whoever applies filters wants the log as it is now, also for those that were applied before. */
  const apply = async (next: AuditFilters) => {
    if (areSame(next, filters)) return pages.refresh();
    await mutate(addressOf(platformAudit.platformAuditLogs, of({ ...next, search: next.search.trim() })), undefined, { revalidate: false });
    setAddress(withFilters(address, next));
  };
  const choose = (id: string) => {
    const next = new URLSearchParams(address);
    if (id === "") next.delete("organization");
    else next.set("organization", id);
    setAddress(next);
  };
  return { filters, tenantId, pages, choose, apply: (next: AuditFilters) => void apply(next) };
};

/** Everything that the platform's log holds, or that one organization's does. */
const PlatformLogPanel = () => {
  const { filters, tenantId, pages, choose, apply } = usePlatformLog();
  const { organizations, nameOf } = useOrganizationNames();
  const [opened, setOpened] = useState<PlatformAuditLog>();
  const searchField = useRef<HTMLInputElement>(null);
  const zone = useZone();
  const narrow = (search: string) => {
    // The row that the dialog came from may be gone then: the focus goes to where the search stands.
    flushSync(() => setOpened(undefined));
    searchField.current?.focus();
    apply({ ...noFilters, timeRange: filters.timeRange, search });
  };
  const isListed = tenantId === "" || organizations.some(({ id }) => id === tenantId);
  const options = [
    ["", "All organizations"] as const,
    ...(isListed ? [] : [[tenantId, tenantId] as const]),
    ...organizations.map(({ id, name }) => [id, name] as const),
  ];
  return (
    <Panel
      title="All Audit Events"
      description={`Who did what on the whole platform, newest first, without patients' ids. Times are in ${zone}.`}
      actions={<Picker label="Organization" value={tenantId} options={options} onPick={choose} />}
    >
      <FilterForm applied={filters} onApply={apply} searchField={searchField} />
      <AuditLogList
        pages={pages}
        onOpen={setOpened}
        failed="Failed to fetch audit logs"
        more={[{ title: "Organization", cell: (log) => nameOf(log.tenantId) }]}
      />
      {opened === undefined ? null : (
        <AuditDetail log={opened} organization={nameOf(opened.tenantId)} onClose={() => setOpened(undefined)} onNarrow={narrow} />
      )}
    </Panel>
  );
};

export default PlatformLogPanel;
