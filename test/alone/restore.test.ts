import { expect, test } from "vitest";
import { drillRestore } from "../drill/restore.ts";

test("A07: a table that was lost under load is restored to a point in time: erased people stay erased, the audit is whole, and nothing else is missing", async () => {
  const lines: string[] = [];
  const report = await drillRestore((line) => lines.push(line));
  expect(report).toMatchObject({
    calls: { missing: 0, unreadable: 0 },
    cameBack: 0,
    secretsUnreadable: 0,
    appointments: { booked: report.calls.lost, named: report.calls.lost },
  });
  expect(report.calls.kept).toBeGreaterThan(10);
  expect(report.calls.lost).toBeGreaterThan(10);
  expect(report.verification).toContain("All rows are intact.");
  expect(lines.at(-1)).toMatch(/^RPO [\d.]+ s, RTO [\d.]+ s\.$/);
});
