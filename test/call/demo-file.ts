import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";

const Patient = z.object({
  id: z.string(),
  given: z.string(),
  family: z.string(),
  birthDate: z.string(),
  phone: z.string(),
  zip: z.string(),
  mrn: z.string(),
  /** Of a child: who calls. */
  parent: z.optional(z.object({ name: z.string(), phone: z.string() })),
});
export type Patient = z.infer<typeof Patient>;

const DemoVoiceProvider = z.object({
  providerType: z.string(),
  baseUrl: z.url(),
  sandboxKey: z.optional(z.string()),
  webhookUrl: z.url(),
  webhookSecret: z.string(),
  agentId: z.string(),
  calledNumber: z.string(),
});
const DemoTenant = z.object({
  id: z.string(),
  name: z.string(),
  apiKey: z.string(),
  admin: z.object({ email: z.string() }),
  voiceProviders: z._default(z.array(DemoVoiceProvider), []),
});

/** The part of `demo.json` that a call needs. */
const DemoFile = z.object({
  origin: z.url(),
  tenants: z.array(DemoTenant),
  ehr: z.object({ r4: z.object({ baseUrl: z.url() }) }),
  patients: z.array(Patient).check(z.minLength(1)),
  children: z._default(z.array(Patient), []),
});
export type DemoFile = z.infer<typeof DemoFile>;

/** One sentence for the terminal. `status`: the platform's answer at `path`. */
export class CannotCall extends Error {
  readonly status?: number;
  readonly path?: string;
  constructor(message: string, { status, path, ...options }: ErrorOptions & { status?: number; path?: string } = {}) {
    super(message, options);
    if (status !== undefined) this.status = status;
    if (path !== undefined) this.path = path;
  }
}

/** Undefined without a file. Throws CannotCall for an invalid one. */
export async function readDemoFile(dataDir: string): Promise<DemoFile | undefined> {
  const path = demoPath(dataDir);
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const { data } = z.safeParse(DemoFile, jsonOf(text));
  if (!data) throw new CannotCall(`${path} was not written by this version of \`npm start\`: start the platform again with \`npm start\`.`);
  return data;
}

export const demoPath = (dataDir: string): string => join(dataDir, "demo.json");

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
