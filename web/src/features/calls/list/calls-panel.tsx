import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { type FoundCall, type ListedCall, maxFollowUps, type RequestOf, tenantCalls, tenantDashboard } from "@vitaline/contract";
import Download from "lucide-react/dist/esm/icons/download.mjs";
import { useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import PhoneOff from "lucide-react/dist/esm/icons/phone-off.mjs";
import SearchX from "lucide-react/dist/esm/icons/search-x.mjs";
import { Alert } from "@chakra-ui/react/alert";
import { useRefresh } from "../../../lib/api/use-refresh.ts";
import { usePages } from "../../../lib/api/use-pages.ts";
import { LoadMore } from "../../../components/table/load-more.tsx";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { Panel } from "../../../components/layout/panel.tsx";
import { useZone } from "../../../lib/format/times.ts";
import { CallDialog } from "../details/call-dialog.tsx";
import { toQuery, hasFilters, noFilters, readCallFilter, writeCallFilter } from "./call-filter.ts";
import { CallFilters } from "./call-filters.tsx";
import { CallTable } from "./call-table.tsx";
import { useOfficeNames } from "../office-names.ts";
import { usePageRange, withAllTime } from "../page-range.ts";
import { FollowUpBar } from "./follow-up-bar.tsx";
import { describeAsked, SearchProgress } from "./search-progress.tsx";
import { useCallSearch } from "./use-call-search.ts";
import { useHandedNumber } from "./handed-number.ts";
import { useOpenCall } from "./use-open-call.ts";
import { type Selection, useSelection } from "./use-selection.ts";
import { Empty } from "../../../components/feedback/empty.tsx";
import { formatCount } from "../../../lib/format/numbers.ts";
import { call } from "../../../lib/api/call.ts";
import { useMay } from "../../../lib/session/may.ts";
import { useAction } from "../../../lib/api/use-action.ts";
import { announce } from "../../../lib/toast.ts";
import { download } from "../../../lib/dom/download.ts";

const pageSize = 10;

/** `hasOffice`: the page has a picker of offices. */
const CallsPanel = ({ hasOffice = false }: { hasOffice?: boolean }) => {
  const [search, setSearch] = useSearchParams();
  const filters = useRef<HTMLFieldSetElement>(null);
  const range = usePageRange();
  const shown = readCallFilter(search);
  const query = toQuery({ ...shown, ...(range.days ?? { from: "", to: "" }) }, useZone());
  const calls = usePages(tenantCalls.listCalls, { query: { ...query, limit: pageSize } });
  const offices = useOfficeNames();
  const finding = useCallSearch();
  const searched = finding.state;
  useHandedNumber((number) => void finding.search({ by: "number", number }));
  const { open, selected, selection, selectAll, clear } = useSelection(searched?.found.map((one) => one.call) ?? calls.data ?? []);
  const refresh = useRefresh();
  const replace = (changed: ListedCall) => {
    calls.replace(changed);
    finding.replace(changed);
    void refresh(tenantDashboard.recentCalls);
  };
  const outdated = () => {
    calls.refresh();
    if (searched) void finding.search(searched.asked);
  };
  const clearSelection = () => {
    clear();
    // The pressed button disappears.
    filters.current?.querySelector("button")?.focus({ preventScroll: true });
  };
  const backToList = () => {
    finding.close();
    filters.current?.querySelector("button")?.focus();
  };
  const exporting = useCallExport(query);
  const mayExport = useMay("GET /api/tenant/calls/export");
  const { openCall, close } = useOpenCall();
  const showAll = () => {
    setSearch((now) => withAllTime(writeCallFilter(now, noFilters)));
    // "Show all calls" disappears, so focus moves to the filters.
    filters.current?.querySelector("button")?.focus();
  };

  const zone = useZone();
  const whose = shown.office === "" ? "All calls" : `Calls of ${offices.get(shown.office) ?? "the chosen office"}`;
  return (
    <Panel
      title="Recent Call Details"
      description={`${searched ? describeAsked(searched.asked, zone) : `${whose}, newest first. ${range.name}.`} Unresolved calls are shown as Transferred; the details say whether a person took over.`}
      actions={
        mayExport && searched === undefined ? (
          <Button variant="outline" size="sm" aria-disabled={exporting.isBusy} onClick={exporting.run}>
            <Download aria-hidden />
            {exporting.isBusy ? "Exporting..." : "Export CSV"}
          </Button>
        ) : undefined
      }
    >
      <Stack gap="5">
        <CallFilters
          ref={filters}
          shown={shown}
          onSearch={finding.search}
          isSearched={searched !== undefined}
          onFilter={finding.close}
          picksOffice={!hasOffice && (offices.size > 1 || shown.office !== "")}
        />
        {exporting.limit === undefined ? null : <ExportLimit rows={exporting.limit} />}
        {open.length > 1 ? (
          <div>
            <Button size="sm" variant="outline" onClick={selectAll}>
              {`Select ${formatCount(Math.min(open.length, maxFollowUps))} that need follow-up`}
            </Button>
          </div>
        ) : null}
        {searched ? (
          <>
            <SearchProgress state={searched} onStop={finding.stop} onGoOn={finding.goOn} onClose={backToList} />
            <FoundCalls found={searched.found} offices={offices} selection={selection} />
          </>
        ) : (
          <Loadable loaded={calls} what="calls" skeleton={<RowSkeletons />}>
            {(rows: ListedCall[]) => (
              <div>
                {rows.length === 0 ? (
                  <NoCalls
                    isNarrowed={hasFilters(shown)}
                    days={range.days && range.name}
                    isOfOffice={shown.office !== ""}
                    hasMore={calls.hasMore}
                    onShowAll={showAll}
                  />
                ) : (
                  <CallTable calls={rows} offices={offices} selection={selection} />
                )}
                {rows.length > 0 || calls.hasMore ? <LoadMore pages={calls} what="calls" /> : null}
              </div>
            )}
          </Loadable>
        )}
        {selected.length > 0 ? (
          <FollowUpBar selected={selected} onChanged={replace} onOutdated={outdated} onClear={clearSelection} />
        ) : null}
      </Stack>
      {openCall === undefined ? null : (
        <CallDialog key={openCall} callId={openCall} offices={offices} onClose={close} onChanged={replace} />
      )}
    </Panel>
  );
};

type FoundProps = { found: readonly FoundCall[]; offices: ReadonlyMap<string, string>; selection: Selection };

const FoundCalls = ({ found, offices, selection }: FoundProps) => {
  if (found.length === 0) return null;
  const excerpts = new Map(found.flatMap(({ call: { id }, excerpt }) => (excerpt === null ? [] : [[id, excerpt]])));
  return <CallTable calls={found.map((one) => one.call)} offices={offices} selection={selection} excerpts={excerpts} />;
};

/** Downloads the filtered calls as CSV. `limit` is the number of rows in the file if it was cut off. */
const useCallExport = (query: RequestOf<typeof tenantCalls.exportCalls>["query"]) => {
  const [limited, setLimited] = useState<{ rows: number; of: string }>();
  const asked = JSON.stringify(query);
  const { run, isBusy } = useAction(async () => {
    const { fileName, csv, rows, complete } = await call(tenantCalls.exportCalls, { query });
    setLimited(complete ? undefined : { rows, of: asked });
    download(fileName, "text/csv", csv);
    announce({
      type: "success",
      title: "Calls exported",
      description: `${formatCount(rows)} ${rows === 1 ? "call" : "calls"} in ${fileName}`,
    });
  });
  return { run, isBusy, limit: limited?.of === asked ? limited.rows : undefined };
};

const ExportLimit = ({ rows }: { rows: number }) => (
  <Alert.Root status="warning" asChild>
    <output>
      <Alert.Description>
        {`The file holds the newest ${formatCount(rows)} of these calls. For the older ones, choose an earlier last day and export again.`}
      </Alert.Description>
    </output>
  </Alert.Root>
);

type Props = {
  isNarrowed: boolean;
  /** The days that the list is limited to. */
  days: string | undefined;
  isOfOffice: boolean;
  hasMore: boolean;
  onShowAll: () => void;
};

const NoCalls = ({ isNarrowed, days, isOfOffice, hasMore, onShowAll }: Props) => {
  if (hasMore)
    return (
      <Empty
        icon={SearchX}
        title="No match so far"
        description="None of the newest calls match these filters. Choose Load more to search older calls."
      />
    );
  if (!isNarrowed)
    return (
      <Empty
        icon={PhoneOff}
        title="No call data available"
        description={
          isOfOffice
            ? "Calls of this office appear here as soon as its voice agent takes one."
            : "Calls appear here as soon as a voice platform makes its first request."
        }
      >
        {days === undefined ? null : (
          <Button variant="outline" size="sm" onClick={onShowAll}>
            Show all dates
          </Button>
        )}
      </Empty>
    );
  return (
    <Empty icon={SearchX} title="No calls match these filters" description="Choose other filters, or look at all calls.">
      <Button variant="outline" size="sm" onClick={onShowAll}>
        Show all calls
      </Button>
    </Empty>
  );
};

export default CallsPanel;
