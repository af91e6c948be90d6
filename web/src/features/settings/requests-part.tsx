import { Button } from "@chakra-ui/react/button";
import { tenantRequests } from "@vitaline/contract";
import MessageSquare from "lucide-react/dist/esm/icons/message-square.mjs";
import Plus from "lucide-react/dist/esm/icons/plus.mjs";
import { lazy, Suspense, useState } from "react";
import { Empty } from "../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { LoadMore } from "../../components/table/load-more.tsx";
import { usePages } from "../../lib/api/use-pages.ts";
import { RequestList } from "../requests/own-requests.tsx";

const RequestDialog = lazy(() => import("../requests/request-dialog.tsx"));

const RequestsPart = () => {
  const pages = usePages(tenantRequests.listRequests, {});
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Panel
      title="Requests"
      description="What your organization asked for, newest first. The person who asked gets an email when the status changes."
      actions={
        <Button size="sm" aria-haspopup="dialog" onClick={() => setIsAsking(true)}>
          <Plus aria-hidden />
          New Request
        </Button>
      }
    >
      <Loadable loaded={pages} what="requests" skeleton={<RowSkeletons />}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty
              icon={MessageSquare}
              title="No requests"
              description="Ask here for changes that only platform support can make, such as a record system, a voice provider or another plan."
            />
          ) : (
            <>
              <RequestList rows={rows} label="Requests" onChanged={pages.replace} />
              <LoadMore pages={pages} what="requests" />
            </>
          )
        }
      </Loadable>
      <Suspense fallback={null}>{isAsking ? <RequestDialog onClose={() => setIsAsking(false)} /> : null}</Suspense>
    </Panel>
  );
};

export default RequestsPart;
