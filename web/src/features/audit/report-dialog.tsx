import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Heading } from "@chakra-ui/react/heading";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { type AuditExport, ExportFormat, exports } from "@vitaline/contract";
import { lazy, useState } from "react";
import { useController } from "react-hook-form";
import * as z from "zod/mini";
import { call } from "../../api/call.ts";
import { useRequestForm } from "../../app/request-form.ts";
import { CheckList } from "../../components/check-list.tsx";
import { ChoiceField } from "../../components/choice-field.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { FormFrame } from "../../components/form-frame.tsx";
import { SubmitButton } from "../../components/submit-button.tsx";
import { useZone } from "../../format/zone.ts";
import { isDate, usualPeriod } from "./date-words.ts";
import { formatNames } from "./export-words.ts";

/** Whoever shows the dialog waits for it, so that it takes the focus as the first of the fields. */
const DateField = lazy(() => import("./date-field.tsx"));

/** "Exporting..." is shown at least so long. */
const leastMilliseconds = 2000;

const day = (label: string) =>
  z.string().check(z.minLength(1, { error: `${label} is required`, abort: true }), z.refine(isDate, "Must be a date such as May 01, 2026"));

const Asked = z.object({
  start: day("Start date"),
  end: day("End date"),
  format: ExportFormat,
});

const formats = ExportFormat.options.map((value) => ({ value, label: formatNames[value] }));

const held = ["Logins and logouts", "Patient data access", "FHIR interactions", "Voice conversations", "Admin actions", "Security events"];

type Props = { onClose: () => void; onAsked: (asked: AuditExport) => void };

/** Asks for a file of what happened on the whole platform between two days. */
const ReportDialog = ({ onClose, onAsked }: Props) => {
  const timeZone = useZone();
  // As the days were when the dialog was opened: they stand in it.
  const [usual] = useState(() => usualPeriod(timeZone, new Date()));
  const { field, failure, isBusy, submit, form } = useRequestForm({
    schema: Asked,
    defaultValues: { ...usual, format: "csv" },
    send: async (body) => {
      const shown = new Promise((resolve) => setTimeout(resolve, leastMilliseconds));
      const [asked] = await Promise.all([call(exports.exportAudit, { body: { ...body, timeZone } }), shown]);
      onClose();
      onAsked(asked);
    },
  });
  const start = useController({ control: form.control, name: "start" });
  const end = useController({ control: form.control, name: "end" });
  const dayOf = ({ field: { value, onChange, ref }, fieldState }: typeof start | typeof end) => {
    return { value, onChange, ref, error: fieldState.error?.message, last: usual.end };
  };
  return (
    <Dialog
      title="Export Audit Report"
      description={`What happened on the whole platform, without patients' ids. Both days are included (${timeZone}); times in the file are UTC.`}
      isDirty={form.formState.isDirty && !isBusy}
      unsaved="The days and the format that you have chosen go, and no report is written."
      onClose={onClose}
    >
      <FormFrame onSubmit={submit} failure={failure}>
        <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5" alignItems="start">
          <DateField label="Start date" {...dayOf(start)} />
          <DateField label="End date" {...dayOf(end)} />
        </SimpleGrid>
        <ChoiceField label="Format" options={formats} {...field("format")} />
        <section>
          <Heading as="h3" size="sm" mb="2">
            The report includes
          </Heading>
          <CheckList items={held} />
        </section>
        <Flex gap="3" wrap="wrap" align="center">
          <SubmitButton isBusy={isBusy} busyText="Exporting...">
            Export
          </SubmitButton>
          <Button type="button" variant="outline" size="lg" onClick={onClose}>
            Cancel
          </Button>
        </Flex>
      </FormFrame>
    </Dialog>
  );
};

export default ReportDialog;
