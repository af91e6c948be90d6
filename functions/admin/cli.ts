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

Creates a system administrator, or resets the password of a user who cannot sign in. It works on the platform on this machine
(VITALINE_DATA, .local) or, with --table, in the AWS account of the current credentials. The deployment prints the table's name.`;

/** Exits with a message that says what to do. */
const fail = (message: string): never => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};

const useThisMachine = (): void => {
  const { missing } = useLocalPlatform();
  if (missing) fail(`No platform found at ${missing}. Run npm start first, or pass --table with the name of a deployed table.`);
};

const alphabet = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/** 20 of 55 characters: 115 bits. */
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
    return fail(usage);
  }
};

const { values, positionals } = readOptions();
const [action] = positionals;
if (positionals.length !== 1 || !values.email || (action !== "create" && action !== "reset-password")) fail(usage);

if (values.table) Object.assign(process.env, { TABLE_NAME: values.table, ...(values.region ? { AWS_REGION: values.region } : {}) });
else useThisMachine();

const isOwnPassword = values["password-stdin"];
const password = isOwnPassword ? (await text(process.stdin)).replace(/\r?\n$/, "") : newPassword();
const input = NewUser.safeParse({
  role: "system_admin",
  email: values.email,
  password,
  firstName: values["first-name"],
  lastName: values["last-name"],
});
if (!input.success) fail(input.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("\n"));
const newUser = input.data as NewUser;

const request = { requestId: randomUUID(), remainingMs: 30_000, clientAddress: "127.0.0.1", origin: "http://localhost" };
const ctx = platformContext(request, { kind: "system", id: "admin-command" });

/** Returns the message to print. */
const run = async (): Promise<string> => {
  if (action === "create") return `${(await createUser(ctx, newUser)).email} can sign in at /admin/login as a system administrator.`;
  const owner = await ctx.platform.get(keys.email(newUser.email));
  if (!owner) return fail(`There is no user with the email address ${newUser.email}.`);
  const { email } = await resetPassword(ctx, owner.userId, { password, removeTotp: values["remove-totp"] });
  return `${email} can sign in with the new password.`;
};

try {
  const message = await run();
  process.stdout.write(`${message}\n${isOwnPassword ? "" : `Password: ${password}\nSave it now. It will not be shown again.\n`}`);
} catch (error) {
  if (isAppError(error) && error.code !== "unavailable") fail(error.message);
  fail(
    values.table
      ? "Could not write to the table. Check its name, the region and your credentials."
      : "The platform does not answer. Start it with npm start; VITALINE_DATA sets its data folder.",
  );
}
