import { Heading } from "@chakra-ui/react/heading";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { type AuditExport, ExportFormat, exports } from "@vitaline/contract";
import { lazy, useEffect, useRef, useState } from "react";
import { useController } from "react-hook-form";
import * as z from "zod/mini";
import { CheckList } from "../../../components/layout/page-section.tsx";
import { ChoiceField } from "../../../components/form/fields.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { DialogButtons } from "../../../components/dialog/dialog-footer.tsx";
import { FormFrame } from "../../../components/form/form-frame.tsx";
import { useZone } from "../../../lib/format/times.ts";
import { formatChoices, isDate, defaultPeriod } from "./export-format.ts";
import { call } from "../../../lib/api/call.ts";
import { useRequestForm } from "../../../lib/forms/use-request-form.ts";

/** Its Suspense boundary is outside the dialog, so that the date field gets the initial focus. */
const DateField = lazy(() => import("./date-field.tsx"));

const reportContents = [
  "Logins and logouts",
  "Patient data access",
  "FHIR interactions",
  "Voice conversations",
  "Admin actions",
  "Security events",
];

type Props = { onClose: () => void; onAsked: (asked: AuditExport) => void };

const ReportDialog = ({ onClose, onAsked }: Props) => {
  const timeZone = useZone();
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => void (isGone.current = true);
  }, []);
  const { start, end, field, failure, isBusy, isDirty, submit } = useReportForm(timeZone, (asked) => {
    // If this dialog was closed during the request, another one may be open.
    if (!isGone.current) onClose();
    onAsked(asked);
  });
  return (
    <Dialog
      title="Export Audit Report"
      description={`What happened on the whole platform, without patient IDs. Both days are included (${timeZone}); times in the file are UTC.`}
      isDirty={isDirty && !isBusy}
      unsaved="The dates and the format you chose are discarded, and no report is created."
      onClose={onClose}
    >
      <FormFrame onSubmit={submit} failure={failure}>
        <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5" alignItems="start">
          <DateField label="Start date" {...start} />
          <DateField label="End date" {...end} />
        </SimpleGrid>
        <ChoiceField label="Format" options={formatChoices} {...field("format")} />
        <section>
          <Heading as="h3" size="sm" mb="2">
            The report includes
          </Heading>
          <CheckList items={reportContents} />
        </section>
        <DialogButtons isBusy={isBusy} action="Export" busyAction="Exporting..." onCancel={onClose} />
      </FormFrame>
    </Dialog>
  );
};

/** Minimum time for which "Exporting..." is shown. */
const minimumMilliseconds = 2000;

const day = (label: string) =>
  z.string().check(z.minLength(1, { error: `${label} is required`, abort: true }), z.refine(isDate, "Must be a date such as May 01, 2026"));

const ReportInput = z.object({ start: day("Start date"), end: day("End date"), format: ExportFormat });

const useReportForm = (timeZone: string, onAsked: (asked: AuditExport) => void) => {
  // Fixed when the form opens, so the dates do not change at midnight.
  const [usual] = useState(() => defaultPeriod(timeZone, new Date()));
  const { form, ...rest } = useRequestForm({
    schema: ReportInput,
    defaultValues: { ...usual, format: "csv" },
    send: async (body) => {
      const shown = new Promise((resolve) => setTimeout(resolve, minimumMilliseconds));
      const [asked] = await Promise.all([call(exports.exportAudit, { body: { ...body, timeZone } }), shown]);
      onAsked(asked);
    },
  });
  const start = useController({ control: form.control, name: "start" });
  const end = useController({ control: form.control, name: "end" });
  const dayOf = ({ field: { value, onChange, ref }, fieldState }: typeof start | typeof end) => {
    return { value, onChange, ref, error: fieldState.error?.message, last: usual.end };
  };
  return { ...rest, isDirty: form.formState.isDirty, start: dayOf(start), end: dayOf(end) };
};

export default ReportDialog;
