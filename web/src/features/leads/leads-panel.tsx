import { Button } from "@chakra-ui/react/button";
import { leads } from "@vitaline/contract";
import UserPlus from "lucide-react/dist/esm/icons/user-round-plus.mjs";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { usePages } from "../../lib/api/use-pages.ts";
import { useSearchValue } from "../../lib/routing/search-params.ts";
import { Panel } from "../../components/layout/panel.tsx";
import { Picker } from "../../components/form/inline-select.tsx";
import { useOfficeNames } from "../calls/office-names.ts";
import { LeadExport } from "./lead-export.tsx";
import { LeadList } from "./lead-list.tsx";
import { handledFlag, readShownLeads, shownLeads } from "./lead-words.ts";

const LeadDialog = lazy(() => import("./lead-dialog.tsx"));
const NewLeadDialog = lazy(() => import("./new-lead-dialog.tsx"));

/** People who want to be found again: which one is read stands in the address. */
const LeadsPanel = () => {
  const [chosen, setChosen] = useSearchValue("leads");
  const [opened, setOpened] = useSearchValue("lead");
  const [isAdding, setIsAdding] = useState(false);
  const shown = readShownLeads(chosen);
  const offices = useOfficeNames();
  const pages = usePages(leads.listLeads, { query: { handled: handledFlag(shown) } });
  const picker = useRef<HTMLSelectElement>(null);
  const isOpen = opened !== undefined;
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    // The row that was opened may have left the list meanwhile, and the focus with it.
    if (wasOpen.current && !isOpen && document.activeElement === document.body) picker.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <Panel
      title="Leads"
      description="People who want to be called back or written to."
      actions={
        <>
          <Picker
            ref={picker}
            label="Which leads"
            value={shown}
            options={Object.entries(shownLeads)}
            onPick={(value) => setChosen(value === "all" ? undefined : value)}
          />
          <LeadExport shown={shown} />
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

export default LeadsPanel;
