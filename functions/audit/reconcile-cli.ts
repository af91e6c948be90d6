import { archivedChains, rearchive, restoreAudit } from "@vitaline/audit";
import { readAppSecrets } from "@vitaline/aws";
import { replayErasures } from "@vitaline/erasures";
import { tableHasStream } from "@vitaline/store";
import { commandContext, fail, print, readCommand } from "./command.ts";

const usage = `npm run restore:reconcile -- --table RESTORED --bucket NAME --files NAME --certificate-key ARN --vault-key ARN --hashes-secret ARN [--region REGION]

Prepares a table that was restored to a point in time, before it is opened. From the audit archive it puts back the audit rows that
were written after that time, and repeats the erasures that were begun after it, with new certificates. Then it archives what it wrote.
It names the appointments that were booked in record systems after that time, whose calls the table does not know. The table must not
have a stream yet.`;

const options = {
  table: { type: "string" },
  bucket: { type: "string" },
  files: { type: "string" },
  "certificate-key": { type: "string" },
  "vault-key": { type: "string" },
  "hashes-secret": { type: "string" },
  region: { type: "string" },
} as const;

readCommand(usage, ["table", "bucket", "files", "certificate-key", "vault-key", "hashes-secret"], options);
const ctx = commandContext("restore-reconcile");

try {
  await readAppSecrets();
  if (await tableHasStream()) fail("The table has a stream: its rows would be archived twice. Restore it again, without a stream.");
  const chains = [...new Set([undefined, ...(await archivedChains())])];
  for (const tenantId of chains) {
    const rows = await restoreAudit(ctx, tenantId);
    const appointments = rows.flatMap(({ success, detail }) =>
      success && detail?.["appointmentId"] ? [String(detail["appointmentId"])] : [],
    );
    print(`${tenantId ?? "platform"}: ${rows.length} audit rows put back`);
    for (const id of new Set(appointments)) print(`  appointment ${id} is in the record system, and its call is not in the table`);
  }
  const erasures = await replayErasures(ctx);
  for (const { erasureId, kind, tenantId, isDone } of erasures)
    print(`erasure ${erasureId} of a ${kind} of ${tenantId} ${isDone ? "repeated" : "waits for the end of a call in progress"}`);
  let archived = 0;
  for (const tenantId of chains) archived += await rearchive(ctx, tenantId, { withStream: false });
  if (erasures.some(({ isDone }) => !isDone)) {
    print(`${archived} rows archived. Not ready: run the command again six hours after the point in time, and open the table only then.`);
    process.exitCode = 1;
  } else print(`${archived} rows archived. Switch on the table's stream and TTL, open it, and run npm run audit:verify.`);
} catch {
  fail("Could not read the archive, or write to the table. Check the names, the region and your credentials, and run it again.");
}
