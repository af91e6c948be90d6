import { type AuditExport, ExportFormat } from "@vitaline/contract";

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

export const isUnderWay = ({ state }: Pick<AuditExport, "state">): boolean => state === "queued" || state === "running";

const units = ["bytes", "KB", "MB", "GB"];

/** "812 bytes", "1.4 MB". */
export const formatBytes = (bytes: number): string => {
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toLocaleString("en-US", { maximumFractionDigits: 1 })} ${units[power]}`;
};
