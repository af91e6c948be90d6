import { rearchive } from "@vitaline/audit";
import { chainsOf, commandContext, fail, print, readCommand } from "./command.ts";

const usage = `npm run audit:rearchive -- [--tenant ID] [--table NAME --bucket NAME --region REGION]

Archives audit rows that are in the table and in no batch of the archive, and that the table's stream cannot deliver any more: those
older than 25 hours. Repeating it changes nothing. It works on the platform on this machine (VITALINE_DATA, .local) or, with --table and
--bucket, in the AWS account of the current credentials. Run npm run audit:redrive first.`;

const options = {
  tenant: { type: "string" },
  table: { type: "string" },
  bucket: { type: "string" },
  region: { type: "string" },
} as const;

const { tenant } = readCommand(usage, ["table", "bucket"], options);
const ctx = commandContext("audit-rearchive");
let total = 0;
try {
  for await (const tenantId of chainsOf(ctx, tenant)) {
    const rows = await rearchive(ctx, tenantId);
    if (rows > 0) print(`${tenantId ?? "platform"}: ${rows} rows archived`);
    total += rows;
  }
} catch {
  fail("Could not read the table, or write to the archive. Check that the platform runs, the names, the region and your credentials.");
}
print(`${total} rows archived. Run npm run audit:verify.`);
