import { Badge } from "@chakra-ui/react/badge";
import { Button } from "@chakra-ui/react/button";
import { Text } from "@chakra-ui/react/text";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { AuditExport } from "@vitaline/contract";
import FileDown from "lucide-react/dist/esm/icons/file-down.mjs";
import { useAction } from "../../../lib/api/use-action.ts";
import type { LoadedPages } from "../../../lib/api/use-pages.ts";
import { useAuth } from "../../../lib/session/auth.tsx";
import { type Column, DataTable } from "../../../components/table/data-table.tsx";
import { Empty } from "../../../components/feedback/empty.tsx";
import { LoadMore } from "../../../components/table/load-more.tsx";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { DateTime } from "../../../components/data/text.tsx";
import { Panel } from "../../../components/layout/panel.tsx";
import { formatCount } from "../../../lib/format/numbers.ts";
import { formatBytes, formatPeriod, isInProgress, stateNames, statePalettes } from "./export-format.ts";
import { type ReadExport, saveExport } from "./audit-exports.tsx";

type Props = { pages: LoadedPages<AuditExport>; askFor: ReadExport; button: string };

export const ExportsPanel = ({ pages, askFor, button }: Props) => {
  const { user } = useAuth();
  return (
    <Panel title="Earlier exports" description="Files of the last seven days; after that they are deleted.">
      <Loadable loaded={pages} what="earlier exports" skeleton={<RowSkeletons />}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon={FileDown} title="No exports in the last seven days" description={`Choose ${button} to create the first one.`} />
          ) : (
            <>
              <DataTable caption="Exported files" columns={columnsFor(user?.id, askFor)} rows={list} keyOf={({ exportId }) => exportId} />
              {pages.hasMore ? <LoadMore pages={pages} what="exports" /> : null}
            </>
          )
        }
      </Loadable>
    </Panel>
  );
};

const columnsFor = (userId: string | undefined, askFor: ReadExport): Column<AuditExport>[] => [
  { title: "Requested", cell: ({ requestedAt }) => <DateTime at={requestedAt} /> },
  { title: "By", cell: ({ requestedBy, requestedByName }) => (requestedBy === userId ? "You" : (requestedByName ?? "A former user")) },
  { title: "Days", cell: formatPeriod },
  { title: "Format", cell: ({ format }) => format.toUpperCase() },
  { title: "Events", isNumeric: true, cell: ({ rows }) => (rows === null ? "N/A" : formatCount(rows)) },
  { title: "Size", isNumeric: true, cell: ({ bytes }) => (bytes === null ? "N/A" : formatBytes(bytes)) },
  { title: "State", cell: ({ state }) => <Badge colorPalette={statePalettes[state]}>{stateNames[state]}</Badge> },
  {
    title: "File",
    cell: (exported) => (exported.state === "ready" ? <Download exported={exported} askFor={askFor} /> : <FileMissing {...exported} />),
  },
];

const Download = ({ exported, askFor }: { exported: AuditExport; askFor: ReadExport }) => {
  const { run, isBusy } = useAction(async () => saveExport(await askFor(exported.exportId)));
  return (
    <Button size="sm" variant="outline" aria-disabled={isBusy} onClick={() => run()}>
      {isBusy ? "Downloading..." : "Download"}
      <VisuallyHidden>{` ${exported.format.toUpperCase()} of ${formatPeriod(exported)}`}</VisuallyHidden>
    </Button>
  );
};

const FileMissing = (exported: AuditExport) => (
  <Text as="span" color="fg.muted">
    {isInProgress(exported) ? "Not yet" : exported.tooLong ? "Too many events. Choose fewer days" : "Export again"}
  </Text>
);
