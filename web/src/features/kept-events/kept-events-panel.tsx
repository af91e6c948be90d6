import { dashboard, type KeptEvent, keptEvents } from "@vitaline/contract";
import Inbox from "lucide-react/dist/esm/icons/inbox.mjs";
import { Button } from "@chakra-ui/react/button";
import { Text } from "@chakra-ui/react/text";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { useApi } from "../../lib/api/use-api.ts";
import { usePages } from "../../lib/api/use-pages.ts";
import { type Column, DataTable } from "../../components/table/data-table.tsx";
import { Empty } from "../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { LoadMore } from "../../components/table/load-more.tsx";
import { DateTime } from "../../components/data/text.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { WaitingBadge } from "../../components/data/badges.tsx";
import { formatCount } from "../../lib/format/numbers.ts";
import { formatName } from "../../lib/format/labels.ts";
import { useOrganizationNames } from "../audit/organization-names.ts";
import { call } from "../../lib/api/call.ts";
import { useAction } from "../../lib/api/use-action.ts";
import { announce } from "../../lib/toast.ts";

const KeptEventsPanel = () => {
  const pages = usePages(keptEvents.listKeptEvents, {});
  const metrics = useApi(dashboard.platformMetrics, {});
  const { nameOf } = useOrganizationNames();
  const count = pages.data === undefined || pages.hasMore ? metrics.data?.waiting.keptEvents : pages.data.length;
  return (
    <Panel
      badge={<WaitingBadge count={count} what="waiting" />}
      title="Unprocessed Events"
      description="Events from voice platforms, and changes of the table, that could not be processed. They are stored; their content is not shown."
    >
      <Loadable loaded={pages} what="unprocessed events" failed="Failed to fetch unprocessed events" skeleton={<RowSkeletons />}>
        {(events) =>
          events.length === 0 && !pages.hasMore ? (
            <Empty icon={Inbox} title="No unprocessed events" description="Every event was processed." />
          ) : (
            <>
              <DataTable caption="Unprocessed events" columns={columns(nameOf, pages.replace)} rows={events} keyOf={({ id }) => id} />
              {pages.hasMore ? <LoadMore pages={pages} what="events" /> : null}
            </>
          )
        }
      </Loadable>
    </Panel>
  );
};

const columns = (nameOf: (tenantId: string | null) => string, onReplayed: (event: KeptEvent) => void): Column<KeptEvent>[] => [
  { title: "Received", cell: ({ at }) => <DateTime at={at} /> },
  { title: "Organization", cell: ({ tenantId }) => nameOf(tenantId) },
  { title: "From", cell: ({ from }) => formatName(from) },
  { title: "Reason", cell: ({ reason }) => formatName(reason) },
  { title: "Bytes", isNumeric: true, cell: ({ bytes }) => formatCount(bytes) },
  { title: "Tries", isNumeric: true, cell: ({ tries }) => formatCount(tries) },
  { title: "Retry", cell: (event) => <Retry event={event} onReplayed={onReplayed} /> },
];

const Retry = ({
  event: { id, tenantId, from, replayable, nextTryAt },
  ...rest
}: {
  event: KeptEvent;
  onReplayed: (event: KeptEvent) => void;
}) => {
  if (replayable && tenantId !== null) return <Replay tenantId={tenantId} id={id} {...rest} />;
  return (
    <Text as="span" color="fg.muted">
      {nextTryAt !== null ? (
        <>
          Automatically, <DateTime at={nextTryAt} />
        </>
      ) : from === "project" ? (
        "Automatically, once a version can read it"
      ) : (
        "Not possible"
      )}
    </Text>
  );
};

const Replay = ({ tenantId, id, onReplayed }: { tenantId: string; id: string; onReplayed: (event: KeptEvent) => void }) => {
  const { run, isBusy } = useAction(async () => {
    onReplayed(await call(keptEvents.replayKeptEvent, { params: { tenantId, id } }));
    announce({ type: "success", title: "Replay started", description: "The event is processed again within about a minute." });
  });
  return (
    <Button size="sm" variant="outline" aria-disabled={isBusy} onClick={run}>
      {isBusy ? "Replaying..." : "Replay"}
      <VisuallyHidden>{` the event ${id}`}</VisuallyHidden>
    </Button>
  );
};

export default KeptEventsPanel;
