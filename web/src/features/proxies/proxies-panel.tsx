import { Button } from "@chakra-ui/react/button";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { type ApprovedProxy, proxies } from "@vitaline/contract";
import Users from "lucide-react/dist/esm/icons/users-round.mjs";
import { lazy, Suspense, useState } from "react";
import { DateTime } from "../../components/data/text.tsx";
import { Empty } from "../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { type Column, DataTable } from "../../components/table/data-table.tsx";
import { LoadMore } from "../../components/table/load-more.tsx";
import { useFocusLater } from "../../lib/dom/use-later-focus.ts";
import { usePages } from "../../lib/api/use-pages.ts";
import { formatDay, formatMoment, useZone } from "../../lib/format/times.ts";
import { ProxyStatusBadge, relationshipNames, scopeNames } from "./proxy-format.tsx";
import { dayIn } from "../../lib/format/zone-day.ts";

const ProxyDialog = lazy(() => import("./proxy-dialog.tsx"));
const NewProxyDialog = lazy(() => import("./new-proxy-dialog.tsx"));

const ProxiesPanel = () => {
  const pages = usePages(proxies.listProxies, { query: {} });
  const [opened, setOpened] = useState<string>();
  const [isAdding, setIsAdding] = useState(false);
  const { button, focusLater } = useFocusLater();
  return (
    <Panel
      title="People Who May Call for a Patient"
      description="Approved by your staff. Parents and guardians in the record system may call for a child without an approval."
      actions={
        <Button ref={button} size="sm" onClick={() => setIsAdding(true)}>
          <Users aria-hidden />
          Approve a person
        </Button>
      }
    >
      <Loadable loaded={pages} what="approved people" skeleton={<RowSkeletons />}>
        {(list) =>
          list.length === 0 && !pages.hasMore ? (
            <Empty
              icon={Users}
              title="No one is approved yet"
              description="Approve people who may call for an adult patient, such as a spouse, and limit what they may learn and do."
            />
          ) : (
            <>
              <ProxyTable rows={list} onOpen={setOpened} />
              <LoadMore pages={pages} what="people" />
            </>
          )
        }
      </Loadable>
      <Suspense fallback={null}>
        {opened === undefined ? null : (
          <ProxyDialog
            key={opened}
            proxyId={opened}
            onClose={() => setOpened(undefined)}
            onChanged={pages.replace}
            onRevoked={focusLater}
          />
        )}
        {isAdding ? <NewProxyDialog onClose={() => setIsAdding(false)} /> : null}
      </Suspense>
    </Panel>
  );
};

const ProxyTable = ({ rows, onOpen }: { rows: readonly ApprovedProxy[]; onOpen: (proxyId: string) => void }) => {
  const zone = useZone();
  const columns: Column<ApprovedProxy>[] = [
    { title: "Approved", cell: ({ createdAt }) => <DateTime at={createdAt} /> },
    { title: "Relationship", cell: ({ relationship }) => relationshipNames[relationship] },
    { title: "Permissions", cell: ({ scope }) => scopeNames[scope] },
    { title: "Last day", cell: ({ validUntil }) => formatDay(validUntil, "UTC") },
    { title: "Status", cell: (proxy) => <ProxyStatusBadge proxy={proxy} today={dayIn(zone, new Date())} /> },
    {
      title: "Details",
      isNumeric: true,
      cell: ({ id, relationship, createdAt }) => (
        <Button size="sm" variant="outline" onClick={() => onOpen(id)}>
          Open
          <VisuallyHidden>{` person: ${relationshipNames[relationship]}, approved ${formatMoment(createdAt, zone)}`}</VisuallyHidden>
        </Button>
      ),
    },
  ];
  return <DataTable caption="Approved people, newest first" columns={columns} rows={rows} keyOf={({ id }) => id} />;
};

export default ProxiesPanel;
