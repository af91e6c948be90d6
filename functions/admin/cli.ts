import { randomInt, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { NewUser } from "@vitaline/contract";
import { isAppError } from "@vitaline/core";
import { createUser } from "@vitaline/users";
import * as z from "zod/mini";
import { platformContext } from "../lib/context.ts";

const usage = `npm run admin -- create --email you@example.org [--first-name …] [--last-name …] [--password-stdin] [--table NAME --region REGION]

Creates a system administrator on the platform that runs on this machine (VITALINE_DATA, .local),
or, with --table, in the AWS account whose credentials are set. The deployment prints the table's name.`;

const LocalPlatform = z.object({
  awsUrl: z.url(),
  region: z.string(),
  tableName: z.string(),
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
});

/** A failure that its reader can mend. */
const stop = (sentence: string): never => {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
};

const useLocalPlatform = (): void => {
  const file = path.join(process.env["VITALINE_DATA"] ?? ".local", "local.json");
  let local: z.infer<typeof LocalPlatform>;
  try {
    local = LocalPlatform.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return stop(`There is no platform to be found at ${file}. Run npm start first, or name a deployed table with --table.`);
  }
  Object.assign(process.env, {
    TABLE_NAME: local.tableName,
    AWS_ENDPOINT_URL: local.awsUrl,
    AWS_REGION: local.region,
    AWS_ACCESS_KEY_ID: local.accessKeyId,
    AWS_SECRET_ACCESS_KEY: local.secretAccessKey,
  });
};

const alphabet = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/** 20 of 55 signs: 115 bits. */
const newPassword = (): string => Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join("");

const options = {
  email: { type: "string" },
  "first-name": { type: "string", default: "System" },
  "last-name": { type: "string", default: "Administrator" },
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
if (positionals.join(" ") !== "create" || !values.email) stop(usage);

if (values.table) Object.assign(process.env, { TABLE_NAME: values.table, ...(values.region ? { AWS_REGION: values.region } : {}) });
else useLocalPlatform();

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

const request = { requestId: randomUUID(), remainingMs: 30_000, clientAddress: "127.0.0.1", origin: "http://localhost" };
try {
  const user = await createUser(platformContext(request, { kind: "system", id: "admin-command" }), input.data as NewUser);
  process.stdout.write(
    `${user.email} may sign in at /admin/login as system administrator.\n${given ? "" : `Password: ${password}\nIt is shown only now.\n`}`,
  );
} catch (error) {
  if (isAppError(error) && error.code !== "unavailable") stop(error.message);
  stop(
    values.table
      ? "The table could not be written: are its name, the region and these credentials right?"
      : "The platform does not answer: is it running? Start it with npm start; VITALINE_DATA names its data folder.",
  );
}
