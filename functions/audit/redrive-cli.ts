import { forgetUnarchived, readUnarchived, unarchivedNames } from "@vitaline/aws";
import { archiveLostRows } from "@vitaline/audit";
import { lostRows } from "../lib/dynamodb-stream/audit-rows.ts";
import { commandContext, fail, print, readCommand } from "./command.ts";

const usage = `npm run audit:redrive -- [--table NAME --bucket NAME --unarchived NAME --region REGION]

Archives the batches of audit rows that events/archive gave up (bucket UnarchivedBucket of the data stack), each row once, and then
deletes those batches. It works on the platform on this machine (VITALINE_DATA, .local) or, with --table, --bucket and --unarchived, in
the AWS account of the current credentials.`;

const options = {
  table: { type: "string" },
  bucket: { type: "string" },
  unarchived: { type: "string" },
  region: { type: "string" },
} as const;

readCommand(usage, ["table", "bucket", "unarchived"], options);
const ctx = commandContext("audit-redrive");
let batches = 0;
let rows = 0;
try {
  for (const name of await unarchivedNames()) {
    rows += await archiveLostRows(ctx, lostRows(await readUnarchived(name)));
    await forgetUnarchived(name);
    batches += 1;
  }
} catch {
  fail("Could not read the batches, or write to the archive. Check that the platform runs, the names, the region and your credentials.");
}
print(`${batches} batches redriven, ${rows} rows archived. Run npm run audit:verify.`);
