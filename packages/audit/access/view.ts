import type { AccessReport } from "@vitaline/contract";
import type { AccessReportRow } from "@vitaline/store";

/** The share of each step; the second one also loads names. */
const shares = { find: [0, 0.45], list: [0.45, 0.5], write: [0.95, 0.05] } as const;

export const toAccessReport = ({ progress, ...row }: AccessReportRow): AccessReport => {
  const [before, share] = shares[progress.step];
  return {
    id: row.id,
    state: row.status,
    kind: row.about.kind,
    start: row.start,
    end: row.end,
    timeZone: row.timeZone,
    tenantId: row.tenantId ?? null,
    requestedAt: row.requestedAt,
    examined: progress.examined,
    found: progress.rows,
    progress: row.status === "ready" ? 1 : before + share * progress.done,
    expiresAt: new Date(row.expiresAt * 1000).toISOString(),
  };
};
