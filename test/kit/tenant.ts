import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { phone } from "../../packages/local-cloud/demo/demo-call.ts";
import type { Demo } from "../../packages/local-cloud/demo/file.ts";
import { plannedTenants, type PlannedTenant } from "../../packages/local-cloud/demo/plan.ts";
import type { SeededTenant } from "../../packages/local-cloud/demo/state.ts";
import { ensureVoiceProviders } from "../../packages/local-cloud/demo/voice-providers.ts";
import type { Platform } from "../../packages/local-cloud/platform.ts";
import { defaultSeed, demoPatient, type DemoPatient } from "../../packages/sandbox-ehr/seed/index.ts";
import { generatePatients } from "../../packages/sandbox-ehr/seed/patients.ts";
import { specialPatient } from "../../packages/sandbox-ehr/seed/special-patients.ts";
import { outboxPath } from "../../packages/local-cloud/runtime/outbox.ts";
import { apiOf, tokenFrom, type Json } from "./api.ts";
import { openEhr } from "./ehr.ts";
import { openTable } from "./store/table.ts";

export type DemoTenant = Demo["tenants"][number];
export type Login = { email: string; password: string };

export type PopulateOptions = {
  /** The first tenant has two offices, others one. */
  tenants?: number;
  voices?: boolean;
  calls?: boolean;
};

type Place = {
  platform: Platform;
  dataDir: string;
  root: Login;
  patients: { taken: number };
};

export type TenantFactory = {
  demo: Demo;
  newTenant(options?: Omit<PopulateOptions, "tenants">): Promise<DemoTenant>;
  newUser(tenantId?: string, change?: object): Promise<Login & { id: string }>;
};

const project = path.resolve(import.meta.dirname, "../..");
const password = "words that tests sign in with 7";

/** Adults whose chart is what it was generated as. */
const generated = generatePatients(defaultSeed).filter(
  (patient) => patient.active && !patient.deceasedBoolean && isDeepStrictEqual(specialPatient(patient, new Date()), patient),
);

/** Each test file has patients of its own: once the generated ones are taken, copies with another name and day of birth. */
async function takePatients({ platform, patients }: Place, count: number): Promise<DemoPatient[]> {
  const first = patients.taken;
  patients.taken += count;
  if (patients.taken <= generated.length) return generated.slice(first, patients.taken).map(demoPatient);
  const ehr = await openEhr(platform.sandbox);
  const copy = async (at: number): Promise<DemoPatient> => {
    const patient = generated[at % generated.length]!;
    const round = Math.floor(at / generated.length);
    if (round === 0) return demoPatient(patient);
    const { id: _, name: [name] = [], birthDate = "", identifier: [identifier] = [], ...same } = patient;
    const other = {
      ...same,
      name: [{ ...name, family: `${name?.family}${"son".repeat(round)}` }],
      birthDate: `${Number(birthDate.slice(0, 4)) - round}${birthDate.slice(4)}`,
      identifier: [{ ...identifier, value: `MRN${900_000 + at}` }],
    };
    return demoPatient({ ...other, id: (await ehr.addPatient(other)).id });
  };
  const taken = await Promise.all(Array.from({ length: count }, (_, at) => copy(first + at)));
  await ehr.close();
  return taken;
}

/** Runs `npm run admin` with fast password hashes; returns its exit code. */
export async function adminCommand(dataDir: string, args: string[], input: string): Promise<number | null> {
  const quick = path.join(project, "test/kit/run/fast-password-hashes.ts");
  const child = spawn(process.execPath, ["--import", quick, "functions/admin/cli.ts", ...args, "--password-stdin"], {
    cwd: project,
    env: { ...process.env, VITALINE_DATA: dataDir },
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.stdin.end(input);
  const [code] = (await once(child, "exit")) as [number | null];
  return code;
}

async function createRoot({ dataDir, root }: Place): Promise<void> {
  const code = await adminCommand(dataDir, ["create", "--email", root.email], password);
  if (code !== 0) throw new Error("The first administrator was not created");
  root.password = password;
}

async function passwordIsChosen(dataDir: string, userId: string): Promise<void> {
  const table = openTable(dataDir);
  const row = await table.row({ pk: `USER#${userId}`, sk: "USER" });
  if (!row) throw new Error("There is no such user");
  const { mustChangePassword: _first, ...user } = row;
  await table.put(user);
  table.close();
}

export async function tenantFactory(place: Place, { tenants: count = 2, ...more }: PopulateOptions): Promise<TenantFactory> {
  const { platform, dataDir, root } = place;
  const { origin, sandbox, voice } = platform;
  const api = apiOf(origin);
  const isFirst = root.password === "";
  if (isFirst) await createRoot(place);
  const token = await tokenFrom(api)(root.email, root.password);
  const made = async (route: string, body: object): Promise<Json> => {
    const { status, json, text } = await api("POST", route, { token, body });
    if (status !== 201) throw new Error(`${route}: ${status} ${text}`);
    return json;
  };
  if (isFirst) await made("/api/admin/platform/jwk/generate", { algorithm: "RS256" });

  const newUser: TenantFactory["newUser"] = async (tenantId, change = {}) => {
    const email = `${randomUUID()}@kit.example`;
    const role = tenantId ? { role: "tenant_admin", tenantId } : { role: "system_admin" };
    const { id } = await made("/api/admin/users", { email, password, firstName: "Kit", lastName: "Tester", ...role, ...change });
    await passwordIsChosen(dataDir, id as string);
    return { id, email, password };
  };

  const { id: clientId, scopes } = sandbox.client;
  const connection = { name: "Sandbox EHR", providerType: "custom", fhirVersion: "R4", clientAuth: "platform_key", clientId, scopes };
  const { baseUrl, tokenUrl } = sandbox.r4;
  const registered = made("/api/admin/fhir/providers", {
    ...connection,
    baseUrl,
    tokenUrl,
    description: "Generated patients on this machine.",
  });
  const people = await takePatients(place, 6);

  async function populate(plan: PlannedTenant, { voices = false, calls = false }: PopulateOptions): Promise<DemoTenant> {
    const { organizationType, contactEmail, contactPhone, address, description } = plan;
    const name = `${plan.name} ${randomUUID().slice(0, 8)}`;
    const details = { name, organizationType, contactEmail, contactPhone, address, description };
    const { id, apiKey } = await made("/api/admin/tenants", details);
    const [admin, offices, { id: fhirProviderId }] = await Promise.all([
      newUser(id, plan.admin && { firstName: plan.admin.firstName, lastName: plan.admin.lastName }),
      inTurn(plan.offices, (office) => made(`/api/admin/tenants/${id}/offices`, office)),
      registered,
    ]);
    const assigned = await api("PUT", `/api/admin/tenants/${id}/fhir-provider`, { token, body: { fhirProviderId } });
    if (assigned.status !== 200) throw new Error(`No FHIR provider was assigned: ${assigned.text}`);
    const tenant: DemoTenant = {
      id,
      name,
      apiKey,
      admin: { email: admin.email, password: admin.password },
      offices: offices.map((office) => ({ id: office.id as string, name: office.name as string })),
      fhirProviderId,
      voiceProviders: [],
    };
    if (voices) tenant.voiceProviders = await connectVoices(tenant, plan);
    if (calls)
      for (const [at, { story, ...about }] of plan.calls.entries())
        // The sandbox's children are shared, and have no room for every file's bookings.
        await phone(
          {
            origin,
            apiKey,
            callId: `demo-${id}-${at + 1}`,
            patient: people["child" in about ? 4 + about.child : about.patient]!,
            settleOn: (offered) => offered,
          },
          story,
        );
    return tenant;
  }

  async function connectVoices(tenant: DemoTenant, plan: PlannedTenant): Promise<DemoTenant["voiceProviders"]> {
    const seeded: Pick<SeededTenant, "voiceProviders"> = { voiceProviders: {} };
    const described = { ...tenant, ...seeded, firstPassword: "", calls: 0, wishes: {} };
    await ensureVoiceProviders({ origin, token, voice, save: () => {} }, described, plan, tenant.id);
    return Object.entries(described.voiceProviders).map(
      ([providerType, { id = "", baseUrl: at = "", apiKey: sandboxKey = "", webhookPath = "", webhookSecret, agentId, calledNumber }]) => ({
        id,
        providerType,
        baseUrl: at,
        sandboxKey,
        webhookUrl: origin + webhookPath,
        webhookSecret,
        agentId,
        calledNumber,
      }),
    );
  }

  const planOf = (at: number): PlannedTenant => plannedTenants[at % plannedTenants.length]!;
  const [systemAdmin, ...tenants] = await Promise.all([newUser(), ...Array.from({ length: count }, (_, at) => populate(planOf(at), more))]);
  return {
    demo: {
      origin,
      systemAdmin: { email: systemAdmin.email, password: systemAdmin.password },
      tenants,
      ehr: { r4: sandbox.r4, stu3: sandbox.stu3, dstu2: sandbox.dstu2 },
      patients: people,
      children: sandbox.children,
      outbox: `${origin}${outboxPath}`,
      faults: "",
    },
    newTenant: (options = {}) => populate(planOf(1), options),
    newUser,
  };
}

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
