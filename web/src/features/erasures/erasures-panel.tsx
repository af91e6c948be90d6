import { Button } from "@chakra-ui/react/button";
import { type Erasure, erasures } from "@vitaline/contract";
import Eraser from "lucide-react/dist/esm/icons/eraser.mjs";
import { Text } from "@chakra-ui/react/text";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { usePages } from "../../lib/api/use-pages.ts";
import { useSearchValues } from "../../lib/routing/search-params.ts";
import { Empty } from "../../components/feedback/empty.tsx";
import { LoadMore } from "../../components/table/load-more.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { useErasureDialogs } from "./erasure-dialogs.tsx";
import { useAuth } from "../../lib/session/auth.tsx";
import { type Column, DataTable } from "../../components/table/data-table.tsx";
import { DateTime } from "../../components/data/text.tsx";
import { formatExactly, useZone } from "../../lib/format/times.ts";
import { ErasureBadge, isWaiting, kindNames, personName } from "./erasure-format.tsx";

const pageSize = 10;

const ErasuresPanel = () => {
  const pages = usePages(erasures.listErasures, { query: { limit: pageSize } });
  const { go } = useSearchValues();
  const { ask, open, dialogs } = useErasureDialogs({
    onRequested: pages.refresh,
    onChanged: pages.replace,
    onOpenTenant: (tenant) => go({ tab: "tenants", tenant, part: undefined, office: undefined }),
  });
  return (
    <Panel
      title="Erasures"
      description="Data that was or will be permanently erased. Each step is written to the audit log."
      actions={
        <Button size="sm" variant="outline" aria-haspopup="dialog" onClick={ask}>
          <Eraser aria-hidden />
          Erase data…
        </Button>
      }
    >
      <Loadable loaded={pages} what="erasures" failed="Failed to fetch erasures" skeleton={<RowSkeletons />}>
        {(list) =>
          list.length === 0 && !pages.hasMore ? (
            <Empty
              icon={Eraser}
              title="No erasures"
              description="When a contract ends, a patient asks, or something was recorded in error, you can permanently erase the data here and get a certificate."
            />
          ) : (
            <>
              <ErasureTable erasures={list} onOpen={open} />
              <LoadMore pages={pages} what="erasures" />
            </>
          )
        }
      </Loadable>
      {dialogs}
    </Panel>
  );
};

type Props = { erasures: readonly Erasure[]; onOpen: (erasureId: string) => void };

const ErasureTable = ({ erasures, onOpen }: Props) => {
  const zone = useZone();
  const { user } = useAuth();
  const columns: Column<Erasure>[] = [
    { title: "What", cell: ({ kind }) => kindNames[kind] },
    { title: "Organization", cell: ({ tenantName }) => tenantName },
    { title: "Status", cell: ({ status }) => <ErasureBadge status={status} /> },
    {
      title: "Requested",
      cell: ({ requestedBy, requestedByName, requestedAt }) => (
        <div>
          <Text>{personName(requestedBy, requestedByName, user?.id)}</Text>
          <DateTime at={requestedAt} color="fg.muted" />
        </div>
      ),
    },
    { title: "When", cell: (erasure) => <Times erasure={erasure} /> },
    {
      title: "Details",
      cell: ({ id, kind, tenantName, requestedAt }) => (
        <Button size="sm" variant="outline" aria-haspopup="dialog" onClick={() => onOpen(id)}>
          Open
          <VisuallyHidden>{` ${kindNames[kind]} of ${tenantName}, requested ${formatExactly(requestedAt, zone)}`}</VisuallyHidden>
        </Button>
      ),
    },
  ];
  return <DataTable caption="Erasures" columns={columns} rows={erasures} keyOf={({ id }) => id} />;
};

const Times = ({ erasure }: { erasure: Erasure }) => {
  const { status, startsAt, finishedAt } = erasure;
  if (isWaiting(erasure)) return <>Starts {<DateTime at={startsAt} />}</>;
  if (finishedAt === null) return status === "cancelled" ? "N/A" : "Under way";
  return (
    <>
      {status === "done" ? "Finished" : "Canceled"} <DateTime at={finishedAt} />
    </>
  );
};

export default ErasuresPanel;
