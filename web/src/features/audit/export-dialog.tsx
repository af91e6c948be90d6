import { type AuditExport, exports, NewTenantExport } from "@vitaline/contract";
import { useState } from "react";
import * as z from "zod/mini";
import { call } from "../../lib/api/call.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { ChoiceField } from "../../components/form/fields.tsx";
import { DetailList } from "../../components/table/detail-list.tsx";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { DialogButtons } from "../../components/dialog/dialog-footer.tsx";
import { FormFrame } from "../../components/form/form-frame.tsx";
import { useZone } from "../../lib/format/times.ts";
import { actionTypeNames, type AuditFilters } from "./audit-filters.ts";
import { formatPeriod, periodOf } from "./export-period.ts";
import { formatChoices } from "./export-words.ts";

const Choice = z.pick(NewTenantExport, { format: true });

type Props = { filters: AuditFilters; onClose: () => void; onAsked: (asked: AuditExport) => void };

/** Asks for a file of what the applied filters show. */
export const ExportDialog = ({ filters, onClose, onAsked }: Props) => {
  const timeZone = useZone();
  const { actionType, search } = filters;
  // As the days were when the dialog was opened: they stand in it.
  const [period] = useState(() => periodOf(filters.timeRange, timeZone, new Date()));
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
            ["Times in it", "UTC"],
          ]}
        />
        <DialogButtons isBusy={isBusy} action="Export" busyAction="Exporting..." onCancel={onClose} />
      </FormFrame>
    </Dialog>
  );
};
