import { Button } from "@chakra-ui/react/button";
import { type AuditExport, exports } from "@vitaline/contract";
import Download from "lucide-react/dist/esm/icons/download.mjs";
import { useState } from "react";
import { usePages } from "../../lib/api/use-pages.ts";
import type { AuditFilters } from "./audit-filters.ts";
import { ExportDialog } from "./export-dialog.tsx";
import { askForTenantExport } from "./fetch-export.ts";
import { useWatchedExports } from "./use-watched-exports.tsx";

/** Exports as the tab uses them: the list of earlier ones, and the button with what it opens. */
export const useExports = (filters: AuditFilters) => {
  const pages = usePages(exports.tenantAuditExports, {});
  const [isOpen, setIsOpen] = useState(false);
  const { onAsked, watchers } = useWatchedExports(pages, askForTenantExport);
  const close = () => setIsOpen(false);
  const conclude = (asked: AuditExport) => {
    close();
    onAsked(asked);
  };
  const button = (
    <>
      <Button variant="outline" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        <Download aria-hidden />
        Export Logs
      </Button>
      {isOpen ? <ExportDialog filters={filters} onClose={close} onAsked={conclude} /> : null}
      {watchers}
    </>
  );
  return { pages, button };
};
