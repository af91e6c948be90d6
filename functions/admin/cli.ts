import { randomInt, randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { NewUser } from "@vitaline/contract";
import { isAppError } from "@vitaline/core";
import { keys } from "@vitaline/store";
import { createUser, resetPassword } from "@vitaline/users";
import { platformContext } from "../lib/context/platform-context.ts";
import { useLocalPlatform } from "../lib/cli/local-platform.ts";

const usage = `npm run admin -- create --email you@example.org [--first-name …] [--last-name …] [--password-stdin] [--table NAME --region REGION]
npm run admin -- reset-password --email you@example.org [--remove-totp] [--password-stdin] [--table NAME --region REGION]

Creates a system administrator, or gives a user who cannot sign in a new password, on the platform that runs on this machine (VITALINE_DATA, .local),
or, with --table, in the AWS account whose credentials are set. The deployment prints the table's name.`;

/** A failure that its reader can mend. */
const stop = (sentence: string): never => {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
};

const useThisMachine = (): void => {
  const { missing } = useLocalPlatform();
  if (missing) stop(`There is no platform to be found at ${missing}. Run npm start first, or name a deployed table with --table.`);
};

const alphabet = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/** 20 of 55 signs: 115 bits. */
const newPassword = (): string => Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join("");

const options = {
  email: { type: "string" },
  "first-name": { type: "string", default: "System" },
  "last-name": { type: "string", default: "Administrator" },
  "remove-totp": { type: "boolean", default: false },
  "password-stdin": { type: "boolean", default: false },
  table: { type: "string" },
  region: { type: "string" },
} as const;

const readOptions = () => {
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch {
    return stop(usage);
  }
};

const { values, positionals } = readOptions();
const [act] = positionals;
if (positionals.length !== 1 || !values.email || (act !== "create" && act !== "reset-password")) stop(usage);

if (values.table) Object.assign(process.env, { TABLE_NAME: values.table, ...(values.region ? { AWS_REGION: values.region } : {}) });
else useThisMachine();

const given = values["password-stdin"];
const password = given ? (await text(process.stdin)).replace(/\r?\n$/, "") : newPassword();
const input = NewUser.safeParse({
  role: "system_admin",
  email: values.email,
  password,
  firstName: values["first-name"],
  lastName: values["last-name"],
});
if (!input.success) stop(input.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("\n"));
const wanted = input.data as NewUser;

const request = { requestId: randomUUID(), remainingMs: 30_000, clientAddress: "127.0.0.1", origin: "http://localhost" };
const ctx = platformContext(request, { kind: "system", id: "admin-command" });

/** Does what was asked for; a sentence about who may sign in now. */
const done = async (): Promise<string> => {
  if (act === "create") return `${(await createUser(ctx, wanted)).email} may sign in at /admin/login as system administrator.`;
  const owner = await ctx.platform.get(keys.email(wanted.email));
  if (!owner) return stop(`There is no user with the address ${wanted.email}.`);
  const { email } = await resetPassword(ctx, owner.userId, { password, removeTotp: values["remove-totp"] });
  return `${email} may sign in with a new password.`;
};

try {
  const sentence = await done();
  process.stdout.write(`${sentence}\n${given ? "" : `Password: ${password}\nIt is shown only now.\n`}`);
} catch (error) {
  if (isAppError(error) && error.code !== "unavailable") stop(error.message);
  stop(
    values.table
      ? "The table could not be written: are its name, the region and these credentials right?"
      : "The platform does not answer: is it running? Start it with npm start; VITALINE_DATA names its data folder.",
  );
}
