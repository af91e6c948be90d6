import { type AuditExport, ExportFormat, exports } from "@vitaline/contract";
import { useState } from "react";
import { useController } from "react-hook-form";
import * as z from "zod/mini";
import { call } from "../../lib/api/call.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { isDate, usualPeriod } from "./date-words.ts";

/** "Exporting..." is shown at least so long. */
const leastMilliseconds = 2000;

const day = (label: string) =>
  z.string().check(z.minLength(1, { error: `${label} is required`, abort: true }), z.refine(isDate, "Must be a date such as May 01, 2026"));

const Asked = z.object({ start: day("Start date"), end: day("End date"), format: ExportFormat });

/** What a report on the whole platform is asked for by; its days are those of a time zone, and each field of one is as DateField takes it. */
export const useReportForm = (timeZone: string, onAsked: (asked: AuditExport) => void) => {
  // As the days were when the form was opened: they stand in it.
  const [usual] = useState(() => usualPeriod(timeZone, new Date()));
  const { form, ...rest } = useRequestForm({
    schema: Asked,
    defaultValues: { ...usual, format: "csv" },
    send: async (body) => {
      const shown = new Promise((resolve) => setTimeout(resolve, leastMilliseconds));
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
