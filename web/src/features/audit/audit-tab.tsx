import { Box } from "@chakra-ui/react/box";
import { Stack } from "@chakra-ui/react/stack";
import { type AuditLog, tenantAudit } from "@vitaline/contract";
import { lazy } from "react";
import { useSearchParams } from "react-router-dom";
import { useSWRConfig } from "swr";
import { addressOf } from "../../lib/api/call.ts";
import { dropHidden } from "../../lib/api/use-refresh.ts";
import { usePages } from "../../lib/api/use-pages.ts";
import { LazyPanel } from "../../components/layout/lazy-panel.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { useMay } from "../../lib/session/may.ts";
import { formatTimeZone, useZone } from "../../lib/format/times.ts";
import { AuditDetail } from "./log/audit-detail.tsx";
import { useTenantExports } from "./export/tenant-export.tsx";
import { type AuditFilters, areSameFilters, readFilters, toQuery, writeFilters } from "./log/audit-filters.ts";
import { AuditLogList } from "./log/audit-log-list.tsx";
import { ComplianceBadges } from "./compliance-badges.tsx";
import { CallsExportPanel } from "./export/calls-export-panel.tsx";
import { ExportsPanel } from "./export/exports-panel.tsx";
import { readTenantExport } from "./export/audit-exports.tsx";
import { FilterForm } from "./log/filter-form.tsx";
import { tenantAccess } from "./access/access-api.ts";
import { useSearchValues } from "../../lib/routing/search-params.ts";
import { useOpenedLog } from "./log/use-opened-log.ts";

const AccessPanel = lazy(() => import("./access/access-panel.tsx"));

const AuditTab = () => {
  const { go } = useSearchValues();
  const { filters, pages, apply } = useAuditLogs();
  const { pages: exportPages, button } = useTenantExports(filters);
  const { opened, setOpened, searchField, narrow } = useOpenedLog<AuditLog>(filters, apply);
  const zone = useZone();
  const hasCalls = useMay("GET /api/tenant/calls");
  const accessReport = (
    <LazyPanel title="Access Report">
      <AccessPanel api={tenantAccess} isTenant />
    </LazyPanel>
  );
  return (
    <Stack gap="panels">
      {hasCalls ? null : accessReport}
      <Panel
        title="Audit & Compliance"
        description={`Who did what, newest first. Times are in ${formatTimeZone(zone)}. The log holds IDs and codes, never patient names or conditions.`}
        actions={button}
      >
        <Stack gap="6">
          <ComplianceBadges />
          <Box>
            <FilterForm applied={filters} onApply={apply} searchField={searchField} />
            <AuditLogList pages={pages} onOpen={setOpened} />
          </Box>
        </Stack>
      </Panel>
      {hasCalls ? accessReport : <CallsExportPanel />}
      <ExportsPanel pages={exportPages} askFor={readTenantExport} button="Export Logs" />
      {opened === undefined ? null : (
        <AuditDetail
          log={opened}
          onClose={() => setOpened(undefined)}
          onNarrow={narrow}
          onReport={(person) => {
            setOpened(undefined);
            go({ person, report: undefined });
          }}
        />
      )}
    </Stack>
  );
};

const useAuditLogs = () => {
  const [address, setAddress] = useSearchParams();
  const { cache } = useSWRConfig();
  const filters = readFilters(address);
  const zone = useZone();
  const pages = usePages(tenantAudit.auditLogs, { query: toQuery(filters, zone) });
  /** Refetches even for filters that were applied before. */
  const apply = (next: AuditFilters): void => {
    if (areSameFilters(next, filters)) return pages.refresh();
    const asked = addressOf(tenantAudit.auditLogs, { query: toQuery({ ...next, search: next.search.trim() }, zone) });
    dropHidden(cache, (key) => key === asked);
    setAddress(writeFilters(address, next));
  };
  return { filters, pages, apply };
};

export default AuditTab;
