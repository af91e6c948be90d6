import { randomInt } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod/mini";
import { StartError } from "../lib/run.ts";
import { plannedTenants, systemAdminEmail } from "./plan.ts";

const Login = z.object({ email: z.string(), password: z.string() });

const alphabet = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/** 18 of 55 characters: 104 bits. */
const newPassword = (): string => Array.from({ length: 18 }, () => alphabet[randomInt(alphabet.length)]).join("");

const SeededVoiceProvider = z.object({
  webhookSecret: z.string(),
  agentId: z.string(),
  calledNumber: z.string(),
  id: z.optional(z.string()),
  baseUrl: z.optional(z.string()),
  apiKey: z.optional(z.string()),
  webhookPath: z.optional(z.string()),
  isAssigned: z._default(z.boolean(), false),
});

const SeededTenant = z.object({
  name: z.string(),
  id: z.optional(z.string()),
  apiKey: z.optional(z.string()),
  admin: Login,
  firstPassword: z._default(z.string(), newPassword),
  /** An entry without an id was created by a start that was interrupted before the answer. */
  offices: z.array(z.object({ id: z.optional(z.string()), name: z.string() })),
  fhirProviderId: z.optional(z.string()),
  voiceProviders: z._default(z.record(z.string(), SeededVoiceProvider), {}),
  calls: z.number(),
  /** The chosen slot by call id, so that a repetition asks for the same one. */
  wishes: z._default(z.record(z.string(), z.string()), {}),
  /** Calls of the past that were made, and whether the list of work was worked through. */
  past: z.optional(z.object({ calls: z.number(), isWhole: z.boolean() })),
});

const RegisteredProvider = z.object({ id: z.string(), baseUrl: z.string(), scopes: z.optional(z.string()) });

/** Passwords and ids, each written before or right after its step. */
const DemoState = z.object({
  systemAdmin: Login,
  provider: z.optional(RegisteredProvider),
  otherProviders: z._default(z.record(z.string(), RegisteredProvider), {}),
  tenants: z.array(SeededTenant),
  /** What the first start was asked for, so that a later one goes on with the same history. */
  history: z.optional(z.object({ startDay: z.string(), days: z.number(), calls: z.number() })),
});
export type DemoState = z.infer<typeof DemoState>;
export type SeededTenant = z.infer<typeof SeededTenant>;
export type SeededVoiceProvider = z.infer<typeof SeededVoiceProvider>;

const newState = (): DemoState => ({
  systemAdmin: { email: systemAdminEmail, password: newPassword() },
  otherProviders: {},
  tenants: plannedTenants.map(({ name, admin }) => ({
    name,
    admin: { email: admin.email, password: newPassword() },
    firstPassword: newPassword(),
    offices: [],
    voiceProviders: {},
    calls: 0,
    wishes: {},
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

export function writePrivately(file: string, value: object): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
