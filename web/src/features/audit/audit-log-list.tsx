import type { AuditLog } from "@vitaline/contract";
import ScrollText from "lucide-react/dist/esm/icons/scroll-text.mjs";
import type { LoadedPages } from "../../lib/api/use-pages.ts";
import type { Column } from "../../components/table/data-table.tsx";
import { Empty } from "../../components/feedback/empty.tsx";
import { LoadMore } from "../../components/table/load-more.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { AuditTable } from "./audit-table.tsx";

type Props<Log> = {
  pages: LoadedPages<Log>;
  onOpen: (log: Log) => void;
  /** Columns after those of what it was about. */ more?: readonly Column<Log>[];
  /** Said when it does not load, instead of what is usual. */ failed?: string;
};

/** A long range may have to be searched in several goes; only its end says that there is nothing. */
const Nothing = ({ hasMore }: { hasMore: boolean }) =>
  hasMore ? (
    <Empty icon={ScrollText} title="Nothing found so far" description="The time range is long. Load more to search the rest of it." />
  ) : (
    <Empty
      icon={ScrollText}
      title="No audit logs found for the selected criteria"
      description="Choose a longer time range, another action type or another search text."
    />
  );

/** What the filters let through, as far as it has been read. */
export const AuditLogList = <Log extends AuditLog>({ pages, onOpen, more = [], failed }: Props<Log>) => (
  <Loadable loaded={pages} what="audit logs" {...(failed !== undefined && { failed })} skeleton={<RowSkeletons />}>
    {(logs) => (
      <>
        {logs.length === 0 ? <Nothing hasMore={pages.hasMore} /> : <AuditTable logs={logs} onOpen={onOpen} more={more} />}
        {logs.length === 0 && !pages.hasMore ? null : <LoadMore pages={pages} what="events" />}
      </>
    )}
  </Loadable>
);
