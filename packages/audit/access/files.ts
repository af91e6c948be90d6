import type { AccessEntry, ExportFormat } from "@vitaline/contract";
import { type CsvColumn, csvOf, jsonOf, type ReportFormat } from "../report/format.ts";
import { type PdfColumn, pdfOf } from "../report/pdf.ts";

const actorKinds: Record<AccessEntry["actorKind"], string> = {
  user: "Person",
  api_key: "Voice agent",
  voice_provider: "Voice agent",
  system: "The platform",
  nobody: "Not signed in",
};

const who = ({ actorName, agentName, actorKind }: AccessEntry): string => agentName ?? actorName ?? actorKinds[actorKind];
const result = ({ success, code, change }: AccessEntry): string =>
  success ? (change ? "Changed" : "Read") : `Not done: ${code ?? "failed"}`;

const csvColumns: readonly CsvColumn<AccessEntry>[] = [
  { title: "Time (UTC)", of: ({ at }) => at },
  { title: "Name", of: who },
  { title: "Kind", of: ({ actorKind }) => actorKinds[actorKind] },
  { title: "Acting account", of: ({ actorName }) => actorName ?? "" },
  { title: "Account ID", of: ({ actorId }) => actorId },
  { title: "Act", of: ({ act }) => act },
  { title: "What", of: ({ what }) => what },
  { title: "Result", of: result },
  { title: "Patient ID", of: ({ patientIds }) => patientIds.join(" ") },
  { title: "Call ID", of: ({ callId }) => callId ?? "" },
  { title: "Call started (UTC)", of: ({ callStartedAt }) => callStartedAt ?? "" },
  { title: "Resource", of: ({ resourceType }) => resourceType },
  { title: "Resource ID", of: ({ resourceId }) => resourceId ?? "" },
  { title: "Organization", of: ({ tenantName }) => tenantName ?? "" },
  { title: "Organization ID", of: ({ tenantId }) => tenantId ?? "" },
  { title: "Address", of: ({ ipAddress }) => ipAddress ?? "" },
  { title: "Request ID", of: ({ requestId }) => requestId },
  { title: "Event ID", of: ({ id }) => id },
  { title: "Local time", isLocal: true, of: ({ at }, localTime) => localTime(at) },
  { title: "Call started, local time", isLocal: true, of: ({ callStartedAt }, localTime) => localTime(callStartedAt ?? "") },
];

/** An id of a call takes two lines. */
const pdfColumns: readonly PdfColumn<AccessEntry>[] = [
  { name: "Time (UTC)", isLocal: true, width: 80, of: ({ at }, localTime) => [at, localTime(at)] },
  { name: "Who", width: 112, of: (entry) => [who(entry), ...(entry.agentName ? [entry.actorName ?? ""] : []), entry.actorId] },
  { name: "Kind", width: 50, of: ({ actorKind }) => [actorKinds[actorKind]] },
  { name: "Act", width: 90, of: ({ act }) => [act] },
  { name: "What", width: 122, of: ({ what }) => [what] },
  { name: "Result", width: 58, of: (entry) => [result(entry)] },
  { name: "Patient", width: 84, of: ({ patientIds }) => patientIds },
  {
    name: "Call",
    width: 96,
    of: ({ callId, callStartedAt }, localTime) => [callId ?? "", callStartedAt ?? "", localTime(callStartedAt ?? "")],
  },
  { name: "Organization", width: 102, of: ({ tenantName, tenantId }) => [tenantName ?? "", tenantId ?? ""] },
];

export const accessFormats: Readonly<Record<ExportFormat, { format: ReportFormat<AccessEntry>; contentType: string }>> = {
  csv: { format: csvOf(csvColumns), contentType: "text/csv; charset=utf-8" },
  json: {
    format: jsonOf(
      (entry) => entry,
      ({ at }) => at,
    ),
    contentType: "application/json",
  },
  pdf: { format: pdfOf("Report of accesses", pdfColumns), contentType: "application/pdf" },
};
