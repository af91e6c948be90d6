import { Button } from "@chakra-ui/react/button";
import { type Lead, leads } from "@vitaline/contract";
import UserPlus from "lucide-react/dist/esm/icons/user-round-plus.mjs";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import Download from "lucide-react/dist/esm/icons/download.mjs";
import { type LoadedPages, usePages } from "../../lib/api/use-pages.ts";
import { useSearchValue } from "../../lib/routing/search-params.ts";
import { Panel } from "../../components/layout/panel.tsx";
import { InlineSelect } from "../../components/form/inline-select.tsx";
import { useOfficeNames } from "../calls/office-names.ts";
import { handledFlag, leadReasonNames, LeadStatusBadge, readLeadFilter, type LeadFilter, leadFilterNames } from "./lead-format.tsx";
import { Empty } from "../../components/feedback/empty.tsx";
import { LoadMore } from "../../components/table/load-more.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { type Column, DataTable } from "../../components/table/data-table.tsx";
import { DateTime } from "../../components/data/text.tsx";
import { formatMoment, useZone } from "../../lib/format/times.ts";
import { call } from "../../lib/api/call.ts";
import { useMay } from "../../lib/session/may.ts";
import { useAction } from "../../lib/api/use-action.ts";
import { announce } from "../../lib/toast.ts";
import { download } from "../../lib/dom/download.ts";
import { formatCount } from "../../lib/format/numbers.ts";

const LeadDialog = lazy(() => import("./lead-dialog.tsx"));
const NewLeadDialog = lazy(() => import("./new-lead-dialog.tsx"));

const LeadsPanel = () => {
  const [chosen, setChosen] = useSearchValue("leads");
  const [opened, setOpened] = useSearchValue("lead");
  const [isAdding, setIsAdding] = useState(false);
  const shown = readLeadFilter(chosen);
  const mayExport = useMay("GET /api/tenant/leads/export");
  const offices = useOfficeNames();
  const pages = usePages(leads.listLeads, { query: { handled: handledFlag(shown) } });
  const picker = useRef<HTMLSelectElement>(null);
  const isOpen = opened !== undefined;
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    // The opened row may have left the list, and focus with it.
    if (wasOpen.current && !isOpen && document.activeElement === document.body) picker.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <Panel
      title="Leads"
      description="People who want to be called or emailed."
      actions={
        <>
          <InlineSelect
            ref={picker}
            label="Which leads"
            value={shown}
            options={Object.entries(leadFilterNames)}
            onPick={(value) => setChosen(value === "all" ? undefined : value)}
          />
          {mayExport ? <LeadExport shown={shown} /> : null}
          <Button size="sm" onClick={() => setIsAdding(true)}>
            <UserPlus aria-hidden />
            Add lead
          </Button>
        </>
      }
    >
      <LeadList pages={pages} shown={shown} offices={offices} onOpen={setOpened} />
      <Suspense fallback={null}>
        {opened === undefined ? null : (
          <LeadDialog
            key={opened}
            leadId={opened}
            offices={offices}
            onClose={() => setOpened(undefined)}
            onChanged={pages.replace}
            onOutdated={pages.refresh}
          />
        )}
        {isAdding ? <NewLeadDialog offices={offices} onClose={() => setIsAdding(false)} /> : null}
      </Suspense>
    </Panel>
  );
};

const LeadExport = ({ shown }: { shown: LeadFilter }) => (
  <>
    <ExportButton format="csv" shown={shown} />
    <ExportButton format="json" shown={shown} />
  </>
);

const formats = { csv: "Export CSV", json: "Export JSON" } as const;

const ExportButton = ({ format, shown }: { format: keyof typeof formats; shown: LeadFilter }) => {
  const { run, isBusy } = useAction(async () => {
    const file = await call(leads.exportLeads, { query: { format, handled: handledFlag(shown) } });
    download(file.fileName, file.contentType, file.text);
    const rows = `${formatCount(file.rows)} ${file.rows === 1 ? "lead is" : "leads are"} in the file`;
    announce({
      type: "success",
      title: "Leads exported",
      description: file.complete ? `${rows}, with contact details.` : `${rows}, the newest ones. One file cannot hold all of them.`,
    });
  });
  return (
    <Button size="sm" variant="outline" aria-disabled={isBusy} onClick={() => run()}>
      <Download aria-hidden />
      {isBusy ? "Exporting..." : formats[format]}
    </Button>
  );
};

type Props = { pages: LoadedPages<Lead>; shown: LeadFilter; offices: ReadonlyMap<string, string>; onOpen: (leadId: string) => void };

const emptyTexts = {
  all: { title: "No leads yet", description: "Callers who ask for a callback appear here, along with leads that you add." },
  open: { title: "No leads to handle", description: "Every lead is handled. Choose All leads above to see them." },
  handled: { title: "No lead is handled yet", description: "Open a lead and mark it as handled once you have contacted the person." },
} as const satisfies Record<LeadFilter, object>;

const LeadList = ({ pages, shown, offices, onOpen }: Props) => (
  <Loadable loaded={pages} what="leads" skeleton={<RowSkeletons />}>
    {(list) =>
      list.length === 0 && !pages.hasMore ? (
        <Empty icon={UserPlus} {...emptyTexts[shown]} />
      ) : (
        <>
          <LeadTable leads={list} offices={offices} onOpen={onOpen} />
          <LoadMore pages={pages} what="leads" />
        </>
      )
    }
  </Loadable>
);

type LeadTableProps = { leads: readonly Lead[]; offices: ReadonlyMap<string, string>; onOpen: (leadId: string) => void };

const LeadTable = ({ leads, offices, onOpen }: LeadTableProps) => {
  const zone = useZone();
  const columns: Column<Lead>[] = [
    { title: "Received", cell: ({ createdAt }) => <DateTime at={createdAt} /> },
    { title: "Reason", cell: ({ reason }) => leadReasonNames[reason] },
    { title: "Came from", cell: ({ callId }) => (callId === null ? "Added by staff" : "A call") },
    { title: "Office", cell: ({ officeId }) => (officeId === null ? "Any office" : (offices.get(officeId) ?? "Another office")) },
    { title: "Status", cell: (lead) => <LeadStatusBadge lead={lead} /> },
    {
      title: "Details",
      isNumeric: true,
      cell: ({ id, reason, createdAt }) => (
        <Button size="sm" variant="outline" onClick={() => onOpen(id)}>
          Open
          <VisuallyHidden>{` lead: ${leadReasonNames[reason]}, ${formatMoment(createdAt, zone)}`}</VisuallyHidden>
        </Button>
      ),
    },
  ];
  return <DataTable caption="Leads, newest first" columns={columns} rows={leads} keyOf={({ id }) => id} />;
};

export default LeadsPanel;
