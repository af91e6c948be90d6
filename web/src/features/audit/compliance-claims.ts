import type { AuditStatus } from "@vitaline/contract";

/** What the platform promises of the audit, and whether that was seen to hold. `state`: "open" until somebody has looked. */
export type Claim = {
  name: "compliance" | "monitoring" | "retention";
  title: string;
  state: "holds" | "open" | "broken";
  evidence: string;
};

type Told = (instant: string) => string;
type Verdict = Pick<Claim, "state" | "evidence">;

const promisedYears = 7;
const unknown: Verdict = { state: "open", evidence: "Not known at the moment." };

const complianceOf = ({ lastVerifiedAt, intact }: AuditStatus, tell: Told): Verdict => {
  if (lastVerifiedAt === null || intact === null) return { state: "open", evidence: "The archive has not been verified yet." };
  return intact
    ? { state: "holds", evidence: `Last verified ${tell(lastVerifiedAt)}: every archived event is intact.` }
    : { state: "broken", evidence: `Last verified ${tell(lastVerifiedAt)}: not every archived event is intact. Contact support.` };
};

const eventsOf = (rows: number): string => `${rows.toLocaleString("en-US")} ${rows === 1 ? "event" : "events"}`;

const monitoringOf = ({ archivedRows, archivedAt }: AuditStatus, tell: Told): Verdict =>
  archivedAt === null
    ? { state: "open", evidence: "No event has been archived yet." }
    : { state: "holds", evidence: `${eventsOf(archivedRows)} archived, the last ${tell(archivedAt)}.` };

const retentionOf = ({ retentionYears }: AuditStatus): Verdict => ({
  state: retentionYears >= promisedYears ? "holds" : "broken",
  evidence: `Events are kept for ${retentionYears} years and cannot be changed.`,
});

/** The three claims in their order; without a status they stand alone. `tell` puts an instant into words. */
export const claimsOf = (status: AuditStatus | undefined, tell: Told): Claim[] => [
  { name: "compliance", title: "HIPAA Compliance Active", ...(status ? complianceOf(status, tell) : unknown) },
  { name: "monitoring", title: "Data Access Monitoring Enabled", ...(status ? monitoringOf(status, tell) : unknown) },
  { name: "retention", title: "Log Retention 7 Years", ...(status ? retentionOf(status) : unknown) },
];
