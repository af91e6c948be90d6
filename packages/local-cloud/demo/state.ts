import { randomInt } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod/mini";
import { StartError } from "../start-error.ts";
import { plannedTenants, systemAdminEmail } from "./plan.ts";

const Login = z.object({ email: z.string(), password: z.string() });

const SeededTenant = z.object({
  name: z.string(),
  id: z.optional(z.string()),
  apiKey: z.optional(z.string()),
  admin: Login,
  /** One without an id was made by a start that was killed before it had read the answer. */
  offices: z.array(z.object({ id: z.optional(z.string()), name: z.string() })),
  fhirProviderId: z.optional(z.string()),
  /** How many of the planned calls are over. */
  calls: z.number(),
});

/** How far the demo data is: every password and id, written before or right after the step that it belongs to. */
const DemoState = z.object({
  systemAdmin: Login,
  provider: z.optional(z.object({ id: z.string(), baseUrl: z.string() })),
  tenants: z.array(SeededTenant),
});
export type DemoState = z.infer<typeof DemoState>;
export type SeededTenant = z.infer<typeof SeededTenant>;

const alphabet = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/** 18 of 55 signs: 104 bits. */
const newPassword = (): string => Array.from({ length: 18 }, () => alphabet[randomInt(alphabet.length)]).join("");

const newState = (): DemoState => ({
  systemAdmin: { email: systemAdminEmail, password: newPassword() },
  tenants: plannedTenants.map(({ name, admin }) => ({
    name,
    admin: { email: admin.email, password: newPassword() },
    offices: [],
    calls: 0,
  })),
});

export type StateFile = { state: DemoState; save(): void };

export function openState(dataDir: string): StateFile {
  const file = path.join(dataDir, "demo-state.json");
  const state = readState(file) ?? newState();
  const save = (): void => writePrivately(file, state);
  save();
  return { state, save };
}

function readState(file: string): DemoState | undefined {
  try {
    return z.parse(DemoState, JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new StartError(`${file} is not readable as the demo data's state: start over with npm start -- --reset.`, { cause });
  }
}

/** Replaces a file whole, readable by its owner alone. */
export function writePrivately(file: string, value: object): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
