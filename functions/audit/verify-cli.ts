import { randomBytes, randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { archivedChains, everybody, verifyFeed, verifyTenant, type Flaw, type Verification } from "@vitaline/audit";
import { verifyErasures } from "@vitaline/erasures";
import { keys } from "@vitaline/store";
import { platformContext } from "../lib/context/platform-context.ts";
import { useLocalPlatform } from "../lib/cli/local-platform.ts";

const usage = `npm run audit:verify -- [--tenant ID] [--table NAME --bucket NAME --certificate-key ARN --region REGION]

Compares the archive of the audit with its chains of hashes, with the table and with the platform's feed of the last 90 days,
and names what was altered, removed, moved or added. A tenant that is only left in the archive is looked at, too: it must have
a certificate of its erasure. Each certificate is compared with the key that signs them (the stack's output CertificateKeyArn).
Looks at the platform that runs on this machine (VITALINE_DATA, .local), or, with --table, --bucket and --certificate-key, into
the AWS account whose credentials are set. Ends with 1 when there is damage.`;

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
  "certificate-key": { type: "string" },
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

type Line = Pick<Verification, "rows" | "intactRows" | "isWhole"> & {
  name: string;
  batches?: number;
  waiting?: number;
  flaws: readonly string[];
};

const printLine = ({ name, batches, rows, intactRows, waiting, flaws, isWhole }: Line): void => {
  const cell = (count: number | undefined, width: number) => String(count ?? "").padStart(width);
  const cells = [cell(batches, 8), cell(rows, 9), cell(intactRows, 9), cell(waiting, 9)];
  print(`${name.padEnd(26)} ${cells.join(" ")}  ${isWhole ? "intact" : "DAMAGED"}`);
  if (!isWhole) damaged += 1;
  for (const flaw of flaws.slice(0, shownFlaws)) print(`  ${flaw}`);
  if (flaws.length > shownFlaws) print(`  and ${flaws.length - shownFlaws} more`);
};

const { tenant, table, bucket, region, "certificate-key": certificateKey } = readOptions();
if (new Set([table, bucket, certificateKey].map((name) => name === undefined)).size > 1) stop(usage);
if (table && bucket && certificateKey)
  Object.assign(process.env, {
    TABLE_NAME: table,
    ARCHIVE_BUCKET: bucket,
    CERTIFICATE_KEY_ARN: certificateKey,
    ...(region ? { AWS_REGION: region } : {}),
  });
else useThisMachine();
// Pages of the table are bound to it; nobody but this run gets to see one.
process.env["EDGE_SECRET"] = randomBytes(32).toString("base64url");

const request = { requestId: randomUUID(), remainingMs: 0, clientAddress: "", origin: "" };
const ctx = platformContext(request, { kind: "system", id: "audit-verify" });
let damaged = 0;
const isListed = async (tenantId: string): Promise<boolean> =>
  (await ctx.platform.inTenant(tenantId).get(keys.tenantDirectory())) !== undefined;

/** Every chain that the directory names, and then those that are only in the archive. */
async function* everyChain(): AsyncGenerator<string | undefined> {
  const named = new Set<string | undefined>();
  for await (const tenantId of everybody(ctx.platform)) {
    named.add(tenantId);
    yield tenantId;
  }
  for (const tenantId of await archivedChains()) if (!named.has(tenantId)) yield tenantId;
}

/** Tenants whose rows there are, but not the tenants: each must have been erased. */
const withoutTenant = new Set<string>();
const told: Verification["erasures"] = [];

const verifyChain = async (tenantId: string | undefined): Promise<void> => {
  const verification = await verifyTenant(ctx, tenantId);
  told.push(...verification.erasures);
  if (tenantId !== undefined && !(await isListed(tenantId))) withoutTenant.add(tenantId);
  printLine({ ...verification, flaws: verification.flaws.map(flawText), name: tenantId ?? "platform" });
};

try {
  if (tenant !== undefined && !(await isListed(tenant)) && !(await archivedChains()).includes(tenant))
    stop(`There is no tenant ${tenant}.`);
  print(
    `${"chain".padEnd(26)} ${["batches", "rows", "intact", "on the way"]
      .map((name) => name.padStart(9))
      .join(" ")
      .slice(1)}`,
  );
  for await (const tenantId of tenant === undefined ? everyChain() : [tenant]) await verifyChain(tenantId);
  if (tenant === undefined) {
    const feed = await verifyFeed(ctx);
    printLine({ ...feed, flaws: feed.flaws.map(flawText), name: "feed", isWhole: feed.flaws.length === 0 });
    const erasures = await verifyErasures(ctx, process.env["CERTIFICATE_KEY_ARN"] ?? "", told);
    const flaws = [
      ...erasures.flaws.map(({ kind, erasureId }) => `${kind} certificate: erasure ${erasureId}`),
      ...[...withoutTenant].flatMap((tenantId) =>
        erasures.erasedTenants.has(tenantId)
          ? []
          : [`missing in the table: tenant ${tenantId}, and no certificate says that it was erased`],
      ),
    ];
    printLine({ ...erasures, flaws, name: "erasures", isWhole: flaws.length === 0 });
  }
} catch {
  stop("The table or the archive could not be read: does the platform run, are the names, the region and these credentials right?");
}
print(damaged === 0 ? "Every row is what it was, and where it was." : `${damaged} of these ${damaged === 1 ? "is" : "are"} damaged.`);
process.exitCode = damaged === 0 ? 0 : 1;
