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
import { formatTimeZone, useZone } from "../../../lib/format/times.ts";
import { Text } from "@chakra-ui/react/text";
import { askByYear } from "./audit-exports.tsx";
import { formatChoices, isDate, defaultPeriod, filesText, firstKeptDay, keptYears } from "./export-format.ts";
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
  const { start, end, files, field, failure, isBusy, isDirty, submit } = useReportForm(timeZone, onAsked, () => {
    // If this dialog was closed during the request, another one may be open.
    if (!isGone.current) onClose();
  });
  return (
    <Dialog
      title="Export Audit Report"
      description={`What happened on the whole platform, without patient IDs. Both days are included (${formatTimeZone(timeZone)}); times in the file are UTC and local.`}
      isDirty={isDirty && !isBusy}
      unsaved="The dates and the format you chose are discarded, and no report is created."
      onClose={onClose}
    >
      <FormFrame onSubmit={submit} failure={failure}>
        <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5" alignItems="start">
          <DateField label="Start date" {...start} />
          <DateField label="End date" {...end} />
        </SimpleGrid>
        <Text as="output" textStyle="sm" color="fg.muted">
          {files ?? `Any days of the ${keptYears} years for which the log is kept.`}
        </Text>
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

const reportInput = (timeZone: string) =>
  z.object({
    start: day("Start date").check(
      z.refine((start) => !isDate(start) || start >= firstKeptDay(timeZone, new Date()), `The log is kept for ${keptYears} years`),
    ),
    end: day("End date"),
    format: ExportFormat,
  });

const useReportForm = (timeZone: string, onAsked: (asked: AuditExport) => void, onDone: () => void) => {
  // Fixed when the form opens, so the dates do not change at midnight.
  const [usual] = useState(() => defaultPeriod(timeZone, new Date()));
  const { form, ...rest } = useRequestForm({
    schema: reportInput(timeZone),
    defaultValues: { ...usual, format: "csv" },
    send: async ({ format, ...period }) => {
      const asked: AuditExport[] = [];
      const ask = (days: typeof period) => call(exports.exportAudit, { body: { ...days, format, timeZone } });
      const shown = new Promise((resolve) => setTimeout(resolve, minimumMilliseconds));
      try {
        await Promise.all([askByYear(period, ask, (one) => asked.push(one)), shown]);
        onDone();
      } finally {
        for (const one of asked) onAsked(one);
      }
    },
  });
  const start = useController({ control: form.control, name: "start" });
  const end = useController({ control: form.control, name: "end" });
  const dayOf = ({ field: { value, onChange, ref }, fieldState }: typeof start | typeof end) => {
    return { value, onChange, ref, error: fieldState.error?.message, last: usual.end };
  };
  const [first, last] = [start.field.value, end.field.value];
  const files = isDate(first) && isDate(last) && first <= last ? filesText({ start: first, end: last }) : undefined;
  return { ...rest, files, isDirty: form.formState.isDirty, start: dayOf(start), end: dayOf(end) };
};

export default ReportDialog;
