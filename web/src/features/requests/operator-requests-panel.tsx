import { Button } from "@chakra-ui/react/button";
import { Link } from "@chakra-ui/react/link";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { chakra } from "@chakra-ui/react/styled-system";
import { dashboard, mostWaiting, type OperatorRequest, operatorRequests } from "@vitaline/contract";
import MessageSquare from "lucide-react/dist/esm/icons/message-square.mjs";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";
import { WaitingBadge } from "../../components/data/badges.tsx";
import { Empty } from "../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { InlineSelect } from "../../components/form/inline-select.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { LoadMore } from "../../components/table/load-more.tsx";
import { useApi } from "../../lib/api/use-api.ts";
import { usePages } from "../../lib/api/use-pages.ts";
import { RequestRow } from "./request-row.tsx";

const AnswerDialog = lazy(() => import("./answer-dialog.tsx"));

const states = [
  ["false", "Open"],
  ["true", "Closed"],
] as const;

/** The part of the page that mails and the palette lead to. */
const OperatorRequestsPanel = () => {
  const { hash, key } = useLocation();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (hash === "#requests") place.current?.focus();
  }, [hash, key]);
  return (
    <chakra.div id="requests" ref={place} tabIndex={-1} outline="0">
      <RequestsPanel />
    </chakra.div>
  );
};

/** Loaded when it is asked for, as each reading is audited. */
const RequestsPanel = () => {
  const [closed, setClosed] = useState<string>();
  const metrics = useApi(dashboard.platformMetrics, {});
  return (
    <Panel
      badge={<WaitingBadge count={metrics.data?.waiting.openRequests} most={mostWaiting} what="open" />}
      title="Requests"
      description="What organizations asked for. Each view is written to the audit log."
      actions={
        closed === undefined ? undefined : <InlineSelect label="Requests shown" value={closed} options={states} onPick={setClosed} />
      }
    >
      {closed === undefined ? (
        <Button size="sm" variant="outline" alignSelf="flex-start" onClick={() => setClosed("false")}>
          Show requests
        </Button>
      ) : (
        <Requests key={closed} closed={closed === "true"} />
      )}
    </Panel>
  );
};

const Requests = ({ closed }: { closed: boolean }) => {
  const pages = usePages(operatorRequests.listOperatorRequests, { query: { closed: closed ? "true" : "false" } });
  const [opened, setOpened] = useState<string>();
  const request = pages.data?.find(({ id }) => id === opened);
  return (
    <Loadable loaded={pages} what="requests" skeleton={<RowSkeletons />}>
      {(rows) => (
        <>
          {rows.length === 0 ? (
            <Empty
              icon={MessageSquare}
              title={closed ? "No closed requests" : "No open requests"}
              description="Requests of organizations appear here."
            />
          ) : (
            <chakra.ul listStyleType="none" aria-label="Requests">
              {rows.map((row) => (
                <li key={row.id}>
                  <RequestRow request={row} who={row.tenantName}>
                    <Link href={`mailto:${encodeURIComponent(row.email).replace("%40", "@")}`}>{row.email}</Link>
                    <AnswerButton request={row} onPress={() => setOpened(row.id)} />
                  </RequestRow>
                </li>
              ))}
            </chakra.ul>
          )}
          <LoadMore pages={pages} what="requests" />
          <Suspense fallback={null}>
            {request ? (
              <AnswerDialog
                key={request.id}
                request={request}
                onChanged={pages.replace}
                onOutdated={pages.refresh}
                onClose={() => setOpened(undefined)}
              />
            ) : null}
          </Suspense>
        </>
      )}
    </Loadable>
  );
};

const AnswerButton = ({ request, onPress }: { request: OperatorRequest; onPress: () => void }) => (
  <Button size="sm" variant="outline" aria-haspopup="dialog" onClick={onPress}>
    Change status
    <VisuallyHidden>{` of the request of ${request.tenantName}`}</VisuallyHidden>
  </Button>
);

export default OperatorRequestsPanel;
