import { type AuditExport, exports } from "@vitaline/contract";
import { lazy, Suspense, useState } from "react";
import { Button } from "@chakra-ui/react/button";
import Download from "lucide-react/dist/esm/icons/download.mjs";
import { tellFailure } from "../../../lib/api/use-action.ts";
import { type LoadedPages, usePages } from "../../../lib/api/use-pages.ts";
import { Watch } from "../../../lib/api/watch.tsx";
import { useAuth } from "../../../lib/session/auth.tsx";
import { announce } from "../../../lib/toast.ts";
import { formatCount } from "../../../lib/format/numbers.ts";
import { isInProgress, yearsOf } from "./export-format.ts";
import { call } from "../../../lib/api/call.ts";
import { saveFrom } from "../../../lib/dom/download.ts";

export const saveExport = ({ url }: AuditExport): void => {
  if (url === undefined) throw new TypeError("An export without a link cannot be saved.");
  saveFrom(url);
};

/** Returns the export's current state, with a new link if it is ready. */
export type ReadExport = (exportId: string) => Promise<AuditExport>;

export const readTenantExport: ReadExport = (exportId) => call(exports.tenantAuditExport, { params: { exportId } });
export const readPlatformExport: ReadExport = (exportId) => call(exports.auditExport, { params: { exportId } });

const finishExport = (ended: AuditExport): void => {
  if (ended.state === "failed")
    return announce({
      type: "error",
      title: "Export failed",
      description: ended.tooLong
        ? "There are too many events for one file. Please choose fewer days."
        : "The file could not be written. Please export again.",
    });
  saveExport(ended);
  announce({ type: "success", title: "Export ready", description: `${formatCount(ended.rows ?? 0)} events. The download has started.` });
};

const announceWaiting = (): void =>
  announce({
    type: "success",
    title: "Export started",
    description: "This is a large export. The download starts when it is ready; you can also find it under Earlier exports.",
  });

const announceLost = (refusal: unknown): void =>
  refusal === undefined
    ? announce({ type: "error", title: "Export not ready yet", description: "The export is taking a while. Check Earlier exports later." })
    : tellFailure(refusal);

type Period = { start: string; end: string };

/** Asks for a file for each year of the period, one after the other. Those before a failure are followed too. */
export async function askByYear(period: Period, ask: (days: Period) => Promise<AuditExport>, onAsked: (asked: AuditExport) => void) {
  const asked: AuditExport[] = [];
  try {
    for (const days of yearsOf(period)) asked.push(await ask(days));
  } finally {
    for (const one of asked) onAsked(one);
  }
}

/** Polls exports that are in progress and downloads those requested here as soon as they are ready. */
export const useWatchedExports = (pages: LoadedPages<AuditExport>, askFor: ReadExport) => {
  const { user } = useAuth();
  const [own, setOwn] = useState<readonly string[]>([]);
  const onAsked = (asked: AuditExport) => {
    if (isInProgress(asked)) {
      setOwn((ids) => [...ids, asked.exportId]);
      announceWaiting();
    } else finishExport(asked);
    pages.refresh();
  };
  const onEnded = (ended: AuditExport) => {
    if (own.includes(ended.exportId)) finishExport(ended);
    setOwn((ids) => ids.filter((id) => id !== ended.exportId));
    pages.refresh();
  };
  // Includes exports from an earlier visit; colleagues poll their own.
  const mine = (pages.data ?? []).filter((one) => isInProgress(one) && one.requestedBy === user?.id);
  const watched = [...new Set([...own, ...mine.map(({ exportId }) => exportId)])];
  const watchers = watched.map((exportId) => (
    <Watch key={exportId} ask={() => askFor(exportId)} isUnderWay={isInProgress} onEnded={onEnded} onLost={announceLost} />
  ));
  return { onAsked, watchers };
};

const ReportDialog = lazy(() => import("./report-dialog.tsx"));

export const usePlatformReports = () => {
  const pages = usePages(exports.auditExports, {});
  const [isOpen, setIsOpen] = useState(false);
  const { onAsked, watchers } = useWatchedExports(pages, readPlatformExport);
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
