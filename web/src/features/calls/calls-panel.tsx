import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { type ListedCall, tenantCalls } from "@vitaline/contract";
import Download from "lucide-react/dist/esm/icons/download.mjs";
import { useRef } from "react";
import { useSearchParams } from "react-router-dom";
import { usePages } from "../../lib/api/use-pages.ts";
import { LoadMore } from "../../components/table/load-more.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { useZone } from "../../lib/format/times.ts";
import { CallDialog } from "./call-dialog.tsx";
import { asQuery, isNarrowed, noSearch, readShown, withShown } from "./call-filter.ts";
import { CallFilters } from "./call-filters.tsx";
import { CallTable } from "./call-table.tsx";
import { ExportLimit } from "./export-limit.tsx";
import { NoCalls } from "./no-calls.tsx";
import { useOfficeNames } from "./office-names.ts";
import { useCallExport } from "./use-call-export.ts";
import { useOpenCall } from "./use-open-call.ts";

const rowsInPage = 10;

/** The tenant's calls with their filters, which the address holds, and one of them in full where it names one. */
const CallsPanel = () => {
  const [search, setSearch] = useSearchParams();
  const filters = useRef<HTMLFieldSetElement>(null);
  const shown = readShown(search);
  const query = asQuery(shown, useZone());
  const calls = usePages(tenantCalls.listCalls, { query: { ...query, limit: rowsInPage } });
  const offices = useOfficeNames();
  const exporting = useCallExport(query);
  const { openCall, close } = useOpenCall();
  const showAll = () => {
    setSearch((now) => withShown(now, { ...noSearch, needsFollowUp: false }));
    // The button that was pressed is gone then.
    filters.current?.querySelector("button")?.focus();
  };

  const whose = shown.office === "" ? "All calls" : `Calls of ${offices.get(shown.office) ?? "the chosen office"}`;
  return (
    <Panel
      title="Recent Call Details"
      description={`${whose}, newest first. Not resolved reads Transferred; a call's details say whether a person took over.`}
      actions={
        <Button variant="outline" size="sm" aria-disabled={exporting.isBusy} onClick={exporting.run}>
          <Download aria-hidden />
          {exporting.isBusy ? "Exporting..." : "Export CSV"}
        </Button>
      }
    >
      <Stack gap="5">
        <CallFilters ref={filters} shown={shown} />
        {exporting.limit === undefined ? null : <ExportLimit rows={exporting.limit} />}
        <Loadable loaded={calls} what="calls" skeleton={<RowSkeletons />}>
          {(rows: ListedCall[]) => (
            <div>
              {rows.length === 0 ? (
                <NoCalls isNarrowed={isNarrowed(shown)} isOfOffice={shown.office !== ""} hasMore={calls.hasMore} onShowAll={showAll} />
              ) : (
                <CallTable calls={rows} />
              )}
              {rows.length > 0 || calls.hasMore ? <LoadMore pages={calls} what="calls" /> : null}
            </div>
          )}
        </Loadable>
      </Stack>
      {openCall === undefined ? null : (
        <CallDialog key={openCall} callId={openCall} offices={offices} onClose={close} onChanged={calls.replace} />
      )}
    </Panel>
  );
};

export default CallsPanel;
