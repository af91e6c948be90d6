import { Button } from "@chakra-ui/react/button";
import { exports } from "@vitaline/contract";
import Download from "lucide-react/dist/esm/icons/download.mjs";
import { lazy, Suspense, useState } from "react";
import { usePages } from "../../lib/api/use-pages.ts";
import { askForPlatformExport } from "./fetch-export.ts";
import { useWatchedExports } from "./use-watched-exports.tsx";

const ReportDialog = lazy(() => import("./report-dialog.tsx"));

/** Reports on the whole platform: the list of earlier ones, and the button with what it opens. */
export const useReports = () => {
  const pages = usePages(exports.auditExports, {});
  const [isOpen, setIsOpen] = useState(false);
  const { onAsked, watchers } = useWatchedExports(pages, askForPlatformExport);
  const button = (
    <>
      <Button size="sm" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        <Download aria-hidden />
        Export Audit Report
      </Button>
      <Suspense fallback={null}>{isOpen ? <ReportDialog onClose={() => setIsOpen(false)} onAsked={onAsked} /> : null}</Suspense>
      {watchers}
    </>
  );
  return { pages, button };
};
