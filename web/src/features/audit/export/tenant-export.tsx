import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { type AuditExport, ExportFormat, exports } from "@vitaline/contract";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { Button } from "@chakra-ui/react/button";
import Download from "lucide-react/dist/esm/icons/download.mjs";
import { call } from "../../../lib/api/call.ts";
import { useRequestForm } from "../../../lib/forms/use-request-form.ts";
import { ChoiceField, TextField } from "../../../components/form/fields.tsx";
import { DetailList } from "../../../components/table/detail-list.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { DialogButtons } from "../../../components/dialog/dialog-footer.tsx";
import { FormFrame } from "../../../components/form/form-frame.tsx";
import { formatTimeZone, useZone } from "../../../lib/format/times.ts";
import { actionTypeNames } from "../log/audit-format.ts";
import { type AuditFilters, dayErrors } from "../log/audit-filters.ts";
import { dayIn } from "../../../lib/format/zone-day.ts";
import { exportPeriod, filesText, firstKeptDay, formatChoices, formatPeriod, isDate, keptYears } from "./export-format.ts";
import { usePages } from "../../../lib/api/use-pages.ts";
import { askByYear, readTenantExport, useWatchedExports } from "./audit-exports.tsx";

export const useTenantExports = (filters: AuditFilters) => {
  const pages = usePages(exports.tenantAuditExports, {});
  const [isOpen, setIsOpen] = useState(false);
  const { onAsked, watchers } = useWatchedExports(pages, readTenantExport);
  const close = () => setIsOpen(false);
  const button = (
    <>
      <Button variant="outline" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        <Download aria-hidden />
        Export Logs
      </Button>
      {isOpen ? <ExportDialog filters={filters} onClose={close} onAsked={onAsked} /> : null}
      {watchers}
    </>
  );
  return { pages, button };
};

const exportChoice = (timeZone: string) =>
  z.object({ start: z.string(), end: z.string(), format: ExportFormat }).check(({ value, issues }) => {
    const now = new Date();
    const wrong = dayErrors(value, dayIn(timeZone, now), firstKeptDay(timeZone, now));
    for (const [name, message] of Object.entries(wrong)) issues.push({ code: "custom", path: [name], message, input: "" });
  });

type Props = { filters: AuditFilters; onClose: () => void; onAsked: (asked: AuditExport) => void };

const ExportDialog = ({ filters, onClose, onAsked }: Props) => {
  const timeZone = useZone();
  const { actionType, search } = filters;
  // Fixed when the dialog opens, so the dates do not change at midnight.
  const [usual] = useState(() => exportPeriod(filters, timeZone, new Date()));
  const { form, field, failure, isBusy, submit } = useRequestForm({
    schema: exportChoice(timeZone),
    defaultValues: { ...usual, format: "csv" },
    send: async ({ format, ...period }) => {
      const ask = (days: typeof period) =>
        call(exports.exportTenantAudit, { body: { ...days, timeZone, format, actionType, ...(search && { search }) } });
      await askByYear(period, ask, onAsked);
      onClose();
    },
  });
  const [start, end] = useWatch({ control: form.control, name: ["start", "end"] });
  const period = isDate(start) && isDate(end) && start <= end ? { start, end } : undefined;
  return (
    <Dialog title="Export Logs" description="A file of every event that the applied filters show, of these days." onClose={onClose}>
      <FormFrame onSubmit={submit} failure={failure}>
        <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5" alignItems="start">
          <TextField type="date" label="First day" hint={`The log is kept for ${keptYears} years.`} {...field("start")} />
          <TextField type="date" label="Last day" {...field("end")} />
        </SimpleGrid>
        <ChoiceField label="Format" options={formatChoices} {...field("format")} />
        <DetailList
          details={[
            ["Days", period && `${formatPeriod(period)}, whole days (${formatTimeZone(timeZone)})`],
            ["Files", period && filesText(period)],
            ["Action type", actionTypeNames[actionType]],
            ["Search", search || "None"],
            ["Times in the file", `UTC and ${formatTimeZone(timeZone)}`],
          ]}
        />
        <DialogButtons isBusy={isBusy} action="Export" busyAction="Exporting..." onCancel={onClose} />
      </FormFrame>
    </Dialog>
  );
};
