import path from "node:path";
import type { SandboxEhr } from "@vitaline/sandbox-ehr";
import { StartError } from "../start-error.ts";
import { runNode } from "../supervisor/run.ts";
import { phone } from "./call-story.ts";
import { createOnce, demand, signIn } from "./client.ts";
import { plannedTenants, type PlannedTenant } from "./plan.ts";
import { openState, type DemoState, type SeededTenant, type StateFile } from "./state.ts";

type Options = {
  project: string;
  dataDir: string;
  origin: string;
  sandbox: Pick<SandboxEhr, "r4" | "client" | "patients">;
  signal?: AbortSignal;
};
type Seeding = Options & StateFile & { token: string };

/**
 * Fills the platform through its public API, as an administrator, a tenant's people and their callers would. Every step
 * looks first whether it was done, so that a start that was killed half way is completed by the next one.
 */
export async function seedDemo(options: Options): Promise<DemoState> {
  const { state, save } = openState(options.dataDir);
  const token = await signInAsAdmin(options, state);
  const seeding = { ...options, state, save, token };
  await ensureSigningKey(seeding);
  const provider = await ensureProvider(seeding);
  for (const tenant of state.tenants) {
    const plan = plannedTenants.find(({ name }) => name === tenant.name);
    if (plan) await seedTenant(seeding, tenant, plan, provider);
  }
  return state;
}

async function signInAsAdmin({ origin, project, dataDir, signal }: Options, { systemAdmin }: DemoState): Promise<string> {
  const known = await signIn(origin, systemAdmin);
  if (known) return known;
  await runNode(
    "Creating the first administrator",
    [path.join(project, "functions/admin/cli.ts"), "create", "--email", systemAdmin.email, "--password-stdin"],
    {
      cwd: project,
      env: { VITALINE_DATA: dataDir },
      input: systemAdmin.password,
      signal,
    },
  );
  const token = await signIn(origin, systemAdmin);
  if (!token) throw new StartError(`The demo administrator ${systemAdmin.email} cannot sign in: start over with npm start -- --reset.`);
  return token;
}

async function ensureSigningKey({ origin, token }: Seeding): Promise<void> {
  const { keys } = await demand<{ keys: unknown[] }>(origin, "GET /.well-known/jwks.json");
  if (keys.length === 0) await demand(origin, "POST /api/admin/platform/jwk/generate", { token, body: { algorithm: "RS256" } });
}

/** The sandbox as an FHIR provider; when it has moved to another port, a new registration. */
async function ensureProvider({ origin, token, sandbox, state, save }: Seeding): Promise<string> {
  const { baseUrl, tokenUrl } = sandbox.r4;
  const { id: clientId, scopes } = sandbox.client;
  if (state.provider?.baseUrl === baseUrl) return state.provider.id;
  const body = {
    name: "Sandbox EHR",
    providerType: "custom",
    fhirVersion: "R4",
    baseUrl,
    tokenUrl,
    clientId,
    scopes,
    description: "Generated patients on this machine.",
  };
  const { id } = await demand<{ id: string }>(origin, "POST /api/admin/fhir/providers", { token, body });
  state.provider = { id, baseUrl };
  save();
  return id;
}

async function seedTenant(seeding: Seeding, tenant: SeededTenant, plan: PlannedTenant, providerId: string): Promise<void> {
  const { origin, save } = seeding;
  tenant.id ??= await ensureTenant(seeding, plan);
  await ensureAdmin(seeding, tenant, plan, tenant.id);
  await ensureOffices(seeding, tenant, plan, tenant.id);
  await ensureAssignment(seeding, tenant, tenant.id, providerId);
  const session = await signIn(origin, tenant.admin);
  // Whoever uses this platform may have changed the password; the key that was known then is the best there is
  if (session) tenant.apiKey = (await demand<{ apiKey: string }>(origin, "GET /api/tenant/info", { token: session })).apiKey;
  save();
  await makeCalls(seeding, tenant, plan);
}

async function ensureTenant({ origin, token }: Seeding, plan: PlannedTenant): Promise<string> {
  const there = await demand<{ id: string; name: string }[]>(origin, "GET /api/admin/tenants?limit=100", { token });
  const found = there.find(({ name }) => name === plan.name);
  if (found) return found.id;
  const { name, organizationType, contactEmail, contactPhone, address, description } = plan;
  const made = await demand<{ id: string }>(origin, "POST /api/admin/tenants", {
    token,
    body: { name, organizationType, contactEmail, contactPhone, address, description },
  });
  return made.id;
}

async function ensureAdmin({ origin, token }: Seeding, { admin }: SeededTenant, plan: PlannedTenant, tenantId: string): Promise<void> {
  const there = await demand<{ email: string }[]>(origin, "GET /api/admin/users?limit=100", { token });
  if (there.some(({ email }) => email === admin.email)) return;
  const { firstName, lastName } = plan.admin;
  await demand(origin, "POST /api/admin/users", { token, body: { ...admin, firstName, lastName, role: "tenant_admin", tenantId } });
}

async function ensureOffices(
  { origin, token, save }: Seeding,
  { offices }: SeededTenant,
  plan: PlannedTenant,
  tenantId: string,
): Promise<void> {
  for (const office of plan.offices.slice(offices.length)) {
    const made = await createOnce<{ id: string }>(origin, `/api/admin/tenants/${tenantId}/offices`, { token, body: office });
    offices.push({ id: made?.id, name: office.name });
    save();
  }
}

async function ensureAssignment(
  { origin, token, save }: Seeding,
  tenant: SeededTenant,
  tenantId: string,
  fhirProviderId: string,
): Promise<void> {
  if (tenant.fhirProviderId === fhirProviderId) return;
  await demand(origin, `PUT /api/admin/tenants/${tenantId}/fhir-provider`, { token, body: { fhirProviderId } });
  tenant.fhirProviderId = fhirProviderId;
  save();
}

async function makeCalls({ origin, sandbox, save, signal }: Seeding, tenant: SeededTenant, plan: PlannedTenant): Promise<void> {
  const { apiKey } = tenant;
  if (!apiKey) return;
  for (const [index, { patient: number, story }] of plan.calls.entries()) {
    signal?.throwIfAborted();
    const patient = sandbox.patients[number];
    if (index < tenant.calls || !patient) continue;
    await phone({ origin, apiKey, callId: `demo-${tenant.id}-${index + 1}`, patient }, story);
    tenant.calls = index + 1;
    save();
  }
}
