import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { allTenantIds, archivedChains } from "@vitaline/audit";
import { holdOwnCursorSecret } from "@vitaline/core";
import { keys } from "@vitaline/store";
import { platformContext } from "../lib/context/platform-context.ts";
import { useLocalPlatform } from "../lib/cli/local-platform.ts";

export const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Exits with a message that says what to do. */
export const fail = (message: string): never => {
  process.stderr.write(`${message}\n`);
  process.exit(2);
};

type Values = Record<string, string | undefined>;

/** Options that name resources of an account, and their environment variables. */
const resources: Record<string, string> = {
  table: "TABLE_NAME",
  bucket: "ARCHIVE_BUCKET",
  unarchived: "UNARCHIVED_BUCKET",
  files: "FILES_BUCKET",
  "certificate-key": "CERTIFICATE_KEY_ARN",
  "vault-key": "VAULT_KEY_ARN",
  "hashes-secret": "HASHES_SECRET_ARN",
};

/**
 * Points this process at the platform on this machine or, with all of `needed`, at the account of the current credentials. Returns the
 * options.
 */
export function readCommand(usage: string, needed: readonly string[], options: Record<string, { type: "string" }>): Values {
  const values = parse(usage, options);
  const named = needed.filter((name) => values[name] !== undefined);
  if (named.length > 0 && named.length < needed.length) fail(usage);
  if (named.length > 0) for (const name of needed) process.env[resources[name] ?? ""] = values[name];
  else useThisMachine(needed);
  if (values["region"] !== undefined) process.env["AWS_REGION"] = values["region"];
  holdOwnCursorSecret();
  return values;
}

const parse = (usage: string, options: Record<string, { type: "string" }>): Values => {
  try {
    return parseArgs({ options }).values;
  } catch {
    return fail(usage);
  }
};

const useThisMachine = (needed: readonly string[]): void => {
  const { missing } = useLocalPlatform();
  const options = needed.map((name) => `--${name}`).join(", ");
  if (missing) fail(`No platform found at ${missing}. Run npm start first, or pass ${options}.`);
};

const longestRunMs = 86_400_000;

export const commandContext = (id: string): ReturnType<typeof platformContext> =>
  platformContext({ requestId: randomUUID(), remainingMs: longestRunMs, clientAddress: "", origin: "" }, { kind: "system", id });
type CommandContext = ReturnType<typeof commandContext>;

export const isListed = async ({ platform }: CommandContext, tenantId: string): Promise<boolean> =>
  (await platform.inTenant(tenantId).get(keys.tenantDirectory())) !== undefined;

/** The chains of the directory, then those that exist only in the archive; or the tenant's alone, which must exist. */
export async function* chainsOf(ctx: CommandContext, tenant: string | undefined): AsyncGenerator<string | undefined> {
  if (tenant !== undefined) {
    if (!(await isListed(ctx, tenant)) && !(await archivedChains()).includes(tenant)) fail(`There is no tenant ${tenant}.`);
    return void (yield tenant);
  }
  const listed = new Set<string | undefined>();
  for await (const tenantId of allTenantIds(ctx.platform)) {
    listed.add(tenantId);
    yield tenantId;
  }
  for (const tenantId of await archivedChains()) if (!listed.has(tenantId)) yield tenantId;
}
