import { type Retention, retentionDays } from "@vitaline/contract";
import * as z from "zod/mini";

/** For how long what a tenant's callers leave is kept, in the order of the form. */
export const keptThings = [
  { name: "calls", label: "Keep calls for" },
  { name: "transcripts", label: "Keep transcripts and summaries for" },
  { name: "leads", label: "Keep leads and tasks for" },
  { name: "messages", label: "Keep message records for" },
] as const satisfies readonly { name: keyof Retention; label: string }[];

const yearDays = 365.25;
/** "90 days", "1 year". */
const inWords = (days: number): string => {
  if (days < yearDays - 1) return `${days} days`;
  const years = Math.round(days / yearDays);
  return years === 1 ? "1 year" : `${years} years`;
};

export const periods = retentionDays.map((days) => ({ value: String(days), label: inWords(days) }));

/** A period as a list holds it, and as it is sent. */
const Period = z.pipe(
  z.enum(retentionDays.map(String)),
  z.transform((text) => Number(text) as Retention["calls"]),
);
export const RetentionFields = z.strictObject({ calls: Period, transcripts: Period, leads: Period, messages: Period });
export type RetentionValues = z.input<typeof RetentionFields>;

export const periodsOf = ({ calls, transcripts, leads, messages }: Retention): RetentionValues => ({
  calls: String(calls),
  transcripts: String(transcripts),
  leads: String(leads),
  messages: String(messages),
});
