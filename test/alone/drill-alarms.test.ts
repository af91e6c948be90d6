import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** The drill can give these metrics values, but cannot cause them. */
const ofAwsAlone = [
  "ArchiveDropped",
  "ArchiveGaveUp",
  "CertificateEnds",
  "CostHigh",
  "FirewallBlocks",
  "IndexReadThrottles",
  "IndexWriteThrottles",
  "MailBounces",
  "MailComplaints",
];

const run = promisify(execFile);

test("A01: each alarm of the templates starts from what it watches for, and the outbox tells of it", async () => {
  // A failed drill prints which alarm was not told
  const { stdout } = await run(process.execPath, [path.join(import.meta.dirname, "../drill", "alarms.ts")]).catch(
    (error: { stdout: string }) => error,
  );
  process.stdout.write(stdout);
  const [, told, all] = /^(\d+) of (\d+) alarms were told\.$/m.exec(stdout) ?? [];
  expect(told).toBe(all);
  expect(stdout.split("\n").filter((line) => /not told|: refused, because/.test(line))).toEqual([]);
  expect(Number(told)).toBeGreaterThan(0);
  const fed = [...stdout.matchAll(/^(\S+) +fed:/gm)].map(([, alarm = ""]) => alarm.split("-").at(-1));
  expect(fed.toSorted()).toEqual(ofAwsAlone);
});
