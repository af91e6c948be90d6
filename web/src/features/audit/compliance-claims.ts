import type { AuditStatus } from "@vitaline/contract";

/** `state` is "open" until the archive has been verified. */
export type Claim = {
  name: "compliance" | "monitoring" | "retention";
  title: string;
  state: "holds" | "open" | "broken";
  evidence: string;
};

type FormatInstant = (instant: string) => string;
type Verdict = Pick<Claim, "state" | "evidence"> & Partial<Pick<Claim, "title">>;

const promisedYears = 7;
const unknown: Verdict = { state: "open", evidence: "Not known at the moment." };

const complianceOf = ({ lastVerifiedAt, intact }: AuditStatus, formatInstant: FormatInstant): Verdict => {
  if (lastVerifiedAt === null || intact === null)
    return { state: "open", evidence: "Every access is logged. The archive waits for its first verification." };
  return intact
    ? { state: "holds", evidence: `Last verified ${formatInstant(lastVerifiedAt)}: every archived event is intact.` }
    : {
        state: "broken",
        title: "Audit Archive Not Intact",
        evidence: `Last verified ${formatInstant(lastVerifiedAt)}: not every archived event is intact.`,
      };
};

const eventsOf = (rows: number): string => `${rows.toLocaleString("en-US")} ${rows === 1 ? "event" : "events"}`;

const monitoringOf = ({ archivedRows, archivedAt }: AuditStatus, formatInstant: FormatInstant): Verdict =>
  archivedAt === null
    ? { state: "open", evidence: "No event has been archived yet." }
    : { state: "holds", evidence: `${eventsOf(archivedRows)} archived, the last ${formatInstant(archivedAt)}.` };

const yearsOf = (years: number): string => `${years} ${years === 1 ? "Year" : "Years"}`;

const retentionOf = ({ retentionYears }: AuditStatus): Verdict => ({
  state: retentionYears >= promisedYears ? "holds" : "broken",
  ...(retentionYears >= promisedYears ? {} : { title: `Log Retention ${yearsOf(retentionYears)}` }),
  evidence: `Events are kept for ${yearsOf(retentionYears).toLowerCase()} and cannot be changed.`,
});

/** Without a status all claims are "open". `formatInstant` formats an ISO instant. */
export const complianceClaims = (status: AuditStatus | undefined, formatInstant: FormatInstant): Claim[] => [
  { name: "compliance", title: "HIPAA Compliance Active", ...(status ? complianceOf(status, formatInstant) : unknown) },
  { name: "monitoring", title: "Data Access Monitoring Enabled", ...(status ? monitoringOf(status, formatInstant) : unknown) },
  { name: "retention", title: "Log Retention 7 Years", ...(status ? retentionOf(status) : unknown) },
];
