import type { Lead } from "@vitaline/contract";
import UserPlus from "lucide-react/dist/esm/icons/user-round-plus.mjs";
import type { LoadedPages } from "../../lib/api/use-pages.ts";
import { Empty } from "../../components/feedback/empty.tsx";
import { LoadMore } from "../../components/table/load-more.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { LeadTable } from "./lead-table.tsx";
import type { ShownLeads } from "./lead-words.ts";

type Props = { pages: LoadedPages<Lead>; shown: ShownLeads; offices: ReadonlyMap<string, string>; onOpen: (leadId: string) => void };

const none = {
  all: { title: "No leads yet", description: "Callers who ask to be called back appear here, and those whom you add." },
  open: { title: "Nobody is waiting", description: "Every lead is handled. Choose other leads above to see them." },
  handled: { title: "No lead is handled yet", description: "Open one and mark it as handled once somebody has been reached." },
} as const satisfies Record<ShownLeads, object>;

export const LeadList = ({ pages, shown, offices, onOpen }: Props) => (
  <Loadable loaded={pages} what="leads" skeleton={<RowSkeletons />}>
    {(list) =>
      list.length === 0 && !pages.hasMore ? (
        <Empty icon={UserPlus} {...none[shown]} />
      ) : (
        <>
          <LeadTable leads={list} offices={offices} onOpen={onOpen} />
          <LoadMore pages={pages} what="leads" />
        </>
      )
    }
  </Loadable>
);
