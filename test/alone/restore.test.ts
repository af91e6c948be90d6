import { expect, test } from "vitest";
import { drillRestore, isWhole } from "../drill/restore.ts";

test("A07: a table that was lost under load is restored by the manual's steps: erased people stay erased, the audit is whole, nothing else is missing, and it serves calls again", async () => {
  const lines: string[] = [];
  const report = await drillRestore((line) => lines.push(line));
  expect(report).toMatchObject({
    calls: { missing: 0, unreadable: 0 },
    cameBack: [],
    secretsUnreadable: 0,
    appointments: { booked: report.calls.lost, named: report.calls.lost, others: [] },
    refused: { before: [503, 503, 503], after: [503, 503, 503] },
    writesWhileStopped: 0,
    requestsToLostTable: 0,
    isNextCallKept: true,
    refusedRights: [],
    untried: ["aws dynamodb restore-table-from-backup", "aws backup start-restore-job"],
  });
  expect(report.calls.kept).toBeGreaterThan(10);
  expect(report.calls.lost).toBeGreaterThan(10);
  expect(report.verification).toContain("All rows are intact.");
  expect(isWhole(report)).toBe(true);
  expect(lines.at(-1)).toMatch(/^RPO [\d.]+ s, RTO [\d.]+ s\.$/);
});
