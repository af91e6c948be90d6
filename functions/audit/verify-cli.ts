import { randomBytes, randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { archivedChains, everybody, verifyFeed, verifyTenant, type Flaw, type Verification } from "@vitaline/audit";
import { keys } from "@vitaline/store";
import { platformContext } from "../lib/context.ts";
import { useLocalPlatform } from "../lib/local-platform.ts";

const usage = `npm run audit:verify -- [--tenant ID] [--table NAME --bucket NAME --region REGION]

Compares the archive of the audit with its chains of hashes, with the table and with the platform's feed of the last 90 days,
and names what was altered, removed, moved or added. A tenant that is only left in the archive is looked at, too.
Looks at the platform that runs on this machine (VITALINE_DATA, .local), or, with --table and --bucket, into the AWS account
whose credentials are set. Ends with 1 when there is damage.`;

/** A failure that its reader can mend. */
const stop = (sentence: string): never => {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
};

const useThisMachine = (): void => {
  const { missing } = useLocalPlatform();
  if (missing) stop(`There is no platform to be found at ${missing}. Run npm start first, or name a table and a bucket.`);
};

const options = {
  tenant: { type: "string" },
  table: { type: "string" },
  bucket: { type: "string" },
  region: { type: "string" },
} as const;

const readOptions = () => {
  try {
    return parseArgs({ options }).values;
  } catch {
    return stop(usage);
  }
};

const shownFlaws = 20;
const print = (text: string): void => void process.stdout.write(`${text}\n`);

const flawText = ({ kind, where, batch, rowId }: Flaw): string =>
  `${kind} in the ${where}:${rowId === undefined ? "" : ` row ${rowId}`}${batch === undefined ? "" : ` batch ${batch}`}`;

type Line = Omit<Verification, "tenantId" | "batches" | "waiting"> & { name: string; batches?: number; waiting?: number };

const printLine = ({ name, batches, rows, intactRows, waiting, flaws, isWhole }: Line): void => {
  const cell = (count: number | undefined, width: number) => String(count ?? "").padStart(width);
  const cells = [cell(batches, 8), cell(rows, 9), cell(intactRows, 9), cell(waiting, 9)];
  print(`${name.padEnd(26)} ${cells.join(" ")}  ${isWhole ? "intact" : "DAMAGED"}`);
  if (!isWhole) damaged += 1;
  for (const flaw of flaws.slice(0, shownFlaws)) print(`  ${flawText(flaw)}`);
  if (flaws.length > shownFlaws) print(`  and ${flaws.length - shownFlaws} more`);
};

const { tenant, table, bucket, region } = readOptions();
if ((table === undefined) !== (bucket === undefined)) stop(usage);
if (table && bucket) Object.assign(process.env, { TABLE_NAME: table, ARCHIVE_BUCKET: bucket, ...(region ? { AWS_REGION: region } : {}) });
else useThisMachine();
// Pages of the table are bound to it; nobody but this run gets to see one.
process.env["EDGE_SECRET"] = randomBytes(32).toString("base64url");

const request = { requestId: randomUUID(), remainingMs: 0, clientAddress: "", origin: "" };
const ctx = platformContext(request, { kind: "system", id: "audit-verify" });
let damaged = 0;
const isKnown = async (tenantId: string): Promise<boolean> =>
  (await ctx.platform.inTenant(tenantId).get(keys.tenantConfig())) !== undefined;

/** Everybody whom the directory names, and then whoever has a chain without being in it. */
async function* everyChain(): AsyncGenerator<string | undefined> {
  const named = new Set<string | undefined>();
  for await (const tenantId of everybody(ctx.platform)) {
    named.add(tenantId);
    yield tenantId;
  }
  for (const tenantId of await archivedChains()) if (!named.has(tenantId)) yield tenantId;
}

try {
  if (tenant !== undefined && !(await isKnown(tenant))) stop(`There is no tenant ${tenant}.`);
  print(
    `${"chain".padEnd(26)} ${["batches", "rows", "intact", "on the way"]
      .map((name) => name.padStart(9))
      .join(" ")
      .slice(1)}`,
  );
  for await (const tenantId of tenant === undefined ? everyChain() : [tenant]) {
    const verification = await verifyTenant(ctx, tenantId);
    printLine({ ...verification, name: tenantId ?? "platform" });
  }
  if (tenant === undefined) {
    const feed = await verifyFeed(ctx);
    printLine({ ...feed, name: "feed", isWhole: feed.flaws.length === 0 });
  }
} catch {
  stop("The table or the archive could not be read: does the platform run, are the names, the region and these credentials right?");
}
print(damaged === 0 ? "Every row is what it was, and where it was." : `${damaged} of these ${damaged === 1 ? "is" : "are"} damaged.`);
process.exitCode = damaged === 0 ? 0 : 1;
