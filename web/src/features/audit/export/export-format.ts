import { type AuditExport, type AuditRange, ExportFormat } from "@vitaline/contract";

const formatNames: Record<ExportFormat, string> = {
  csv: "CSV, for a spreadsheet",
  json: "JSON, for a program",
  pdf: "PDF, to read and file",
};

export const formatChoices = ExportFormat.options.map((value) => ({ value, label: formatNames[value] }));

export const stateNames: Record<AuditExport["state"], string> = {
  queued: "Being written",
  running: "Being written",
  ready: "Ready",
  failed: "Failed",
};

export const statePalettes = { queued: "blue", running: "blue", ready: "green", failed: "red" } as const;

export const isInProgress = ({ state }: Pick<AuditExport, "state">): boolean => state === "queued" || state === "running";

const units = ["bytes", "KB", "MB", "GB"];

/** "812 bytes", "1.4 MB" */
export const formatBytes = (bytes: number): string => {
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toLocaleString("en-US", { maximumFractionDigits: 1 })} ${units[power]}`;
};

const dayMs = 86_400_000;
const days: Readonly<Record<AuditRange, number>> = { "24hours": 1, "7days": 7, "30days": 30, "90days": 90 };

/** "2026-05-01" */
const dateIn = (timeZone: string, ms: number): string =>
  new Intl.DateTimeFormat("sv-SE", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(ms);

type Range = { timeRange: AuditRange; start: string; end: string };

/** The days of the filters, or the whole days that cover a time range ending now. */
export const exportPeriod = ({ timeRange, start, end }: Range, timeZone: string, now: Date): { start: string; end: string } =>
  start !== "" && end !== ""
    ? { start, end }
    : { start: dateIn(timeZone, now.getTime() - days[timeRange] * dayMs), end: dateIn(timeZone, now.getTime()) };

/** The API's limit for a file. */
const maxDays = 366;

/** A longer period than a file can have becomes a file for each calendar year. */
export const yearsOf = ({ start, end }: { start: string; end: string }): { start: string; end: string }[] => {
  if (Date.parse(end) - Date.parse(start) < maxDays * dayMs) return [{ start, end }];
  const [first, last] = [start, end].map((day) => Number(day.slice(0, 4))) as [number, number];
  return Array.from({ length: last - first + 1 }, (_, at) => ({
    start: at === 0 ? start : `${first + at}-01-01`,
    end: first + at === last ? end : `${first + at}-12-31`,
  }));
};

/** How many years the log is kept. */
export const keptYears = 7;

/** The same day in an earlier year: "2024-05-01" */
export const yearsBefore = (day: string, years: number): string => {
  const [year, ...rest] = day.split("-");
  // February 29 is in one year of four.
  return [String(Number(year) - years), ...rest].join("-").replace(/02-29$/, "02-28");
};

/** The first day that the log has. */
export const firstKeptDay = (timeZone: string, now: Date): string => yearsBefore(dateIn(timeZone, now.getTime()), keptYears);

/** "3 files, one for each year", or nothing for one file. */
export const filesText = (period: { start: string; end: string }): string | undefined => {
  const { length } = yearsOf(period);
  return length < 2 ? undefined : `${length} files, one for each year`;
};

/** "Apr 24 to May 1, 2026" */
export const formatPeriod = ({ start, end }: { start: string; end: string }): string => {
  const formatDay = (date: string, options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat("en-US", { ...options, month: "short", day: "numeric", timeZone: "UTC" }).format(new Date(date));
  const last = formatDay(end, { year: "numeric" });
  if (start === end) return last;
  return `${formatDay(start, start.slice(0, 4) === end.slice(0, 4) ? {} : { year: "numeric" })} to ${last}`;
};

const format = new Intl.DateTimeFormat("en-US", { month: "short", day: "2-digit", year: "numeric", timeZone: "UTC" });

const hasIsoFormat = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);

/** Whether the text is an ISO date, "2026-05-01". */
export const isDate = (text: string): boolean => hasIsoFormat(text) && !Number.isNaN(Date.parse(text));

/** "2026-05-01" to "May 01, 2026" */
export const formatDate = (date: string): string => format.format(new Date(`${date}T00:00:00Z`));

/** Parses "May 1, 2026", "5/1/2026" or "2026-05-01" to "2026-05-01"; undefined if the text is not a date. */
export const readDate = (typed: string): string | undefined => {
  const text = typed.trim();
  // Without a year, browsers assume one.
  if (!/\b\d{4}\b/.test(text)) return undefined;
  const ms = Date.parse(hasIsoFormat(text) ? `${text}T00:00:00Z` : `${text} UTC`);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString().slice(0, 10);
};

/** The last 30 days, today included. */
export const defaultPeriod = (timeZone: string, now: Date): { start: string; end: string } => {
  const end = dateIn(timeZone, now.getTime());
  return { start: new Date(Date.parse(end) - 29 * dayMs).toISOString().slice(0, 10), end };
};
