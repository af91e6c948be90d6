import { Button } from "@chakra-ui/react/button";
import { erasures } from "@vitaline/contract";
import Eraser from "lucide-react/dist/esm/icons/eraser.mjs";
import { usePages } from "../../lib/api/use-pages.ts";
import { useSearchValues } from "../../lib/routing/search-params.ts";
import { Empty } from "../../components/feedback/empty.tsx";
import { LoadMore } from "../../components/table/load-more.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { ErasureTable } from "./erasure-table.tsx";
import { useErasureDialogs } from "./use-erasure-dialogs.tsx";

/** Other panels stand on the same page. */
const pageSize = 10;

/** What was or is to be erased for good, of all organizations. */
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
      description="Data that was erased for good or is going to be. Each step is written to the audit log."
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
              description="When a contract ends, a patient asks or something was recorded in error, data is erased here for good, with a certificate."
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

export default ErasuresPanel;
