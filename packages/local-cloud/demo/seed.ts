import path from "node:path";
import type { SandboxEhr } from "@vitaline/sandbox-ehr";
import type { SandboxVoice } from "@vitaline/sandbox-voice";
import { runNode, StartError } from "../lib/run.ts";
import { phone } from "./demo-call.ts";
import { createOnce, requestOk, signIn } from "./client.ts";
import { type PlannedTenant, plannedTenants } from "./plan.ts";
import { ensureProviders } from "./providers.ts";
import { type DemoState, openState, type SeededTenant, type StateFile } from "./state.ts";
import { ensureVoiceProviders } from "./voice-providers.ts";

type Options = {
  project: string;
  dataDir: string;
  origin: string;
  sandbox: Pick<SandboxEhr, "r4" | "servers" | "client" | "patients" | "children">;
  voice: Pick<SandboxVoice, "baseUrl">;
  signal?: AbortSignal;
};
type Seeding = Options & StateFile & { token: string };

/** Fills the platform through its public API. Every step is idempotent, so the next start completes an interrupted one. */
export async function seedDemo(options: Options): Promise<StateFile> {
  const { state, save } = openState(options.dataDir);
  const token = await signInAsAdmin(options, state);
  // The password was changed since the last start; existing demo data stays
  if (token === undefined) return { state, save };
  const seeding = { ...options, state, save, token };
  await ensureSigningKey(seeding);
  const provider = await ensureProviders(seeding);
  for (const tenant of state.tenants) {
    const plan = plannedTenants.find(({ name }) => name === tenant.name);
    if (plan) await seedTenant(seeding, tenant, plan, provider);
  }
  return { state, save };
}

async function signInAsAdmin({ origin, project, dataDir, signal }: Options, state: DemoState): Promise<string | undefined> {
  const { systemAdmin } = state;
  const known = await signIn(origin, systemAdmin);
  if (known || state.provider) return known;
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
  const { keys } = await requestOk<{ keys: unknown[] }>(origin, "GET /.well-known/jwks.json");
  if (keys.length === 0) await requestOk(origin, "POST /api/admin/platform/jwk/generate", { token, body: { algorithm: "RS256" } });
}

async function seedTenant(seeding: Seeding, tenant: SeededTenant, plan: PlannedTenant, providerId: string): Promise<void> {
  const { origin, save } = seeding;
  tenant.id ??= await ensureTenant(seeding, plan);
  const session = await ensureAdmin(seeding, tenant, plan, tenant.id);
  await ensureOffices(seeding, tenant, plan, tenant.id);
  await ensureAssignment(seeding, tenant, tenant.id, providerId);
  await ensureVoiceProviders(seeding, tenant, plan, tenant.id);
  // The password may have been changed; then the known key is kept
  if (session) tenant.apiKey = (await requestOk<{ apiKey: string }>(origin, "GET /api/tenant/info", { token: session })).apiKey;
  save();
  await makeCalls(seeding, tenant, plan);
}

async function ensureTenant({ origin, token }: Seeding, plan: PlannedTenant): Promise<string> {
  const there = await requestOk<{ id: string; name: string }[]>(origin, "GET /api/admin/tenants?limit=100", { token });
  const found = there.find(({ name }) => name === plan.name);
  if (found) return found.id;
  const { name, organizationType, contactEmail, contactPhone, address, description } = plan;
  const made = await requestOk<{ id: string }>(origin, "POST /api/admin/tenants", {
    token,
    body: { name, organizationType, contactEmail, contactPhone, address, description },
  });
  if (plan.facts) {
    const body = { name, contactEmail, organizationType, isActive: true, facts: plan.facts };
    await requestOk(origin, `PUT /api/admin/tenants/${made.id}`, { token, body });
  }
  return made.id;
}

/** Undefined when the administrator's password was changed. */
async function ensureAdmin(
  { origin, token }: Seeding,
  { admin, firstPassword }: SeededTenant,
  plan: PlannedTenant,
  tenantId: string,
): Promise<string | undefined> {
  const first = { email: admin.email, password: firstPassword };
  const there = await requestOk<{ email: string }[]>(origin, "GET /api/admin/users", { token });
  if (there.some(({ email }) => email === admin.email)) {
    const known = await signIn(origin, admin);
    if (known) return known;
  } else {
    const { firstName, lastName } = plan.admin;
    await createOnce(origin, "/api/admin/users", { token, body: { ...first, firstName, lastName, role: "tenant_admin", tenantId } });
  }
  const chosen = await signIn(origin, first);
  if (!chosen) return undefined;
  const body = { currentPassword: firstPassword, newPassword: admin.password };
  return (await requestOk<{ token: string }>(origin, "POST /api/auth/change-password", { token: chosen, body })).token;
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
  await requestOk(origin, `PUT /api/admin/tenants/${tenantId}/fhir-provider`, { token, body: { fhirProviderId } });
  tenant.fhirProviderId = fhirProviderId;
  save();
}

async function makeCalls({ origin, sandbox, save, signal }: Seeding, tenant: SeededTenant, plan: PlannedTenant): Promise<void> {
  const { apiKey } = tenant;
  if (!apiKey) return;
  for (const [index, { story, ...about }] of plan.calls.entries()) {
    signal?.throwIfAborted();
    const patient = "child" in about ? sandbox.children[about.child] : sandbox.patients[about.patient];
    if (index < tenant.calls || !patient) continue;
    const callId = `demo-${tenant.id}-${index + 1}`;
    const settleOn = (offered: string | undefined): string | undefined => {
      if (offered) tenant.wishes[callId] ??= offered;
      save();
      return tenant.wishes[callId];
    };
    await phone({ origin, apiKey, callId, patient, settleOn }, story);
    tenant.calls = index + 1;
    save();
  }
}
