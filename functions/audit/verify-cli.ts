import { verifyFeed, verifyTenant, type Flaw, type Verification } from "@vitaline/audit";
import { verifyErasures } from "@vitaline/erasures";
import { chainsOf, commandContext, fail, isListed, print, readCommand } from "./command.ts";

const usage = `npm run audit:verify -- [--tenant ID] [--table NAME --bucket NAME --certificate-key ARN --region REGION]

Verifies the audit archive against its hash chains, the table and the platform's feed of the last 90 days, and lists altered,
removed, moved and added rows. Tenants that exist only in the archive must have a certificate of erasure. Certificates are
verified with the key that signs them (the stack's output CertificateKeyArn). It works on the platform on this machine
(VITALINE_DATA, .local) or, with --table, --bucket and --certificate-key, in the AWS account of the current credentials.
Exits with 1 if it finds damage.`;

const options = {
  tenant: { type: "string" },
  table: { type: "string" },
  bucket: { type: "string" },
  region: { type: "string" },
  "certificate-key": { type: "string" },
} as const;

const maxShownFlaws = 20;
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
  for (const flaw of flaws.slice(0, maxShownFlaws)) print(`  ${flaw}`);
  if (flaws.length > maxShownFlaws) print(`  and ${flaws.length - maxShownFlaws} more`);
};

const { tenant } = readCommand(usage, ["table", "bucket", "certificate-key"], options);
const ctx = commandContext("audit-verify");
let damaged = 0;

/** Tenants with archived rows that are not in the directory: they must have been erased. */
const missingTenants = new Set<string>();
const erasureEvents: Verification["erasures"] = [];

const verifyChain = async (tenantId: string | undefined): Promise<void> => {
  const verification = await verifyTenant(ctx, tenantId);
  erasureEvents.push(...verification.erasures);
  if (tenantId !== undefined && !(await isListed(ctx, tenantId))) missingTenants.add(tenantId);
  printLine({ ...verification, flaws: verification.flaws.map(flawText), name: tenantId ?? "platform" });
};

try {
  print(
    `${"chain".padEnd(26)} ${["batches", "rows", "intact", "on the way"]
      .map((name) => name.padStart(9))
      .join(" ")
      .slice(1)}`,
  );
  for await (const tenantId of chainsOf(ctx, tenant)) await verifyChain(tenantId);
  if (tenant === undefined) {
    const feed = await verifyFeed(ctx);
    printLine({ ...feed, flaws: feed.flaws.map(flawText), name: "feed", isWhole: feed.flaws.length === 0 });
    const erasures = await verifyErasures(ctx, process.env["CERTIFICATE_KEY_ARN"] ?? "", erasureEvents);
    const flaws = [
      ...erasures.flaws.map(({ kind, erasureId }) => `${kind} certificate: erasure ${erasureId}`),
      ...[...missingTenants].flatMap((tenantId) =>
        erasures.erasedTenants.has(tenantId) ? [] : [`missing in the table: tenant ${tenantId}, and no certificate of its erasure`],
      ),
    ];
    printLine({ ...erasures, flaws, name: "erasures", isWhole: flaws.length === 0 });
  }
} catch {
  fail("Could not read the table or the archive. Check that the platform runs, the names, the region and your credentials.");
}
print(damaged === 0 ? "All rows are intact." : `${damaged} of these ${damaged === 1 ? "is" : "are"} damaged.`);
process.exitCode = damaged === 0 ? 0 : 1;
