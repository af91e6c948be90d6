import type { PlatformAuditLog } from "@vitaline/contract";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Panel } from "../../components/layout/panel.tsx";
import { Picker } from "../../components/form/inline-select.tsx";
import { useZone } from "../../lib/format/times.ts";
import { AuditDetail } from "./audit-detail.tsx";
import { noFilters } from "./audit-filters.ts";
import { AuditLogList } from "./audit-log-list.tsx";
import { FilterForm } from "./filter-form.tsx";
import { organizationOf, useOrganizationNames } from "./use-organization-names.ts";
import { usePlatformLog } from "./use-platform-log.ts";

/** Everything that the platform's log holds, or that one organization's does. */
const PlatformLogPanel = () => {
  const { filters, tenantId, pages, choose, apply } = usePlatformLog();
  const { organizations } = useOrganizationNames();
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
        more={[{ title: "Organization", cell: organizationOf }]}
      />
      {opened === undefined ? null : (
        <AuditDetail log={opened} organization={organizationOf(opened)} onClose={() => setOpened(undefined)} onNarrow={narrow} />
      )}
    </Panel>
  );
};

export default PlatformLogPanel;
