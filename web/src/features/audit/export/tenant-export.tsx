import { type AuditExport, exports, NewTenantExport } from "@vitaline/contract";
import { useState } from "react";
import * as z from "zod/mini";
import { Button } from "@chakra-ui/react/button";
import Download from "lucide-react/dist/esm/icons/download.mjs";
import { call } from "../../../lib/api/call.ts";
import { useRequestForm } from "../../../lib/forms/use-request-form.ts";
import { ChoiceField } from "../../../components/form/fields.tsx";
import { DetailList } from "../../../components/table/detail-list.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { DialogButtons } from "../../../components/dialog/dialog-footer.tsx";
import { FormFrame } from "../../../components/form/form-frame.tsx";
import { useZone } from "../../../lib/format/times.ts";
import { actionTypeNames } from "../log/audit-format.ts";
import type { AuditFilters } from "../log/audit-filters.ts";
import { formatChoices, formatPeriod, exportPeriod } from "./export-format.ts";
import { usePages } from "../../../lib/api/use-pages.ts";
import { readTenantExport, useWatchedExports } from "./audit-exports.tsx";

export const useTenantExports = (filters: AuditFilters) => {
  const pages = usePages(exports.tenantAuditExports, {});
  const [isOpen, setIsOpen] = useState(false);
  const { onAsked, watchers } = useWatchedExports(pages, readTenantExport);
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

const Choice = z.pick(NewTenantExport, { format: true });

type Props = { filters: AuditFilters; onClose: () => void; onAsked: (asked: AuditExport) => void };

const ExportDialog = ({ filters, onClose, onAsked }: Props) => {
  const timeZone = useZone();
  const { actionType, search } = filters;
  // Fixed when the dialog opens, so the dates do not change at midnight.
  const [period] = useState(() => exportPeriod(filters.timeRange, timeZone, new Date()));
  const { field, failure, isBusy, submit } = useRequestForm({
    schema: Choice,
    defaultValues: { format: "csv" },
    send: async ({ format }) => {
      const body = { ...period, timeZone, format, actionType, ...(search && { search }) };
      onAsked(await call(exports.exportTenantAudit, { body }));
    },
  });
  return (
    <Dialog title="Export Logs" description="A file of every event that the applied filters show." onClose={onClose}>
      <FormFrame onSubmit={submit} failure={failure}>
        <ChoiceField label="Format" options={formatChoices} {...field("format")} />
        <DetailList
          details={[
            ["Days", `${formatPeriod(period)}, whole days (${timeZone})`],
            ["Action type", actionTypeNames[actionType]],
            ["Search", search || "None"],
            ["Times in the file", "UTC"],
          ]}
        />
        <DialogButtons isBusy={isBusy} action="Export" busyAction="Exporting..." onCancel={onClose} />
      </FormFrame>
    </Dialog>
  );
};
