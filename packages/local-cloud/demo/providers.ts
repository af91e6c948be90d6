import type { SandboxEhr } from "@vitaline/sandbox-ehr";
import { requestOk } from "./client.ts";
import type { DemoState, StateFile } from "./state.ts";

type Sandbox = Pick<SandboxEhr, "r4" | "servers" | "client">;
type Planned = { name: string; providerType: string; fhirVersion: string; server: SandboxEhr["r4"]; description: string };
type Registered = NonNullable<DemoState["provider"]>;
type Registering = StateFile & { origin: string; token: string; sandbox: Sandbox };

const tenantProvider = ({ r4 }: Sandbox): Planned => ({
  name: "Sandbox EHR",
  providerType: "custom",
  fhirVersion: "R4",
  server: r4,
  description: "Generated patients on this machine.",
});

const unassignedProviders = ({ servers }: Sandbox): Planned[] => [
  ...(["STU3", "DSTU2"] as const).map((version) => ({
    name: `Sandbox EHR, ${version}`,
    providerType: "custom",
    fhirVersion: version,
    server: servers.plain[version],
    description: `The sandbox's records in FHIR ${version}.`,
  })),
  {
    name: "Sandbox EHR, read only",
    providerType: "custom",
    fhirVersion: "R4",
    server: servers.readonly.R4,
    description: "Reads and searches only, and no appointments.",
  },
  {
    name: "Sandbox like Epic",
    providerType: "epic",
    fhirVersion: "R4",
    server: servers["epic-like"].R4,
    description: "Weighted patient search, bookings by $find and $book, no updates.",
  },
  {
    name: "Sandbox like Oracle Health",
    providerType: "cerner",
    fhirVersion: "R4",
    server: servers["cerner-like"].R4,
    description: "Strict searches, changes by JSON Patch, messages to staff only.",
  },
];

export async function ensureProviders(registering: Registering): Promise<string> {
  const { sandbox, state } = registering;
  const main = await ensureProvider(registering, tenantProvider(sandbox), state.provider, (registered) => (state.provider = registered));
  for (const planned of unassignedProviders(sandbox))
    await ensureProvider(
      registering,
      planned,
      state.otherProviders[planned.name],
      (registered) => (state.otherProviders[planned.name] = registered),
    );
  return main;
}

/** Updates a registered provider only where the sandbox moved or its scopes changed; an administrator's edits stay. */
async function ensureProvider(
  { origin, token, sandbox, save }: Registering,
  { name, providerType, fhirVersion, server, description }: Planned,
  registered: Registered | undefined,
  note: (registered: Registered) => void,
): Promise<string> {
  const { id: clientId, scopes } = sandbox.client;
  const { baseUrl, tokenUrl } = server;
  if (registered?.baseUrl === baseUrl && registered.scopes === scopes) return registered.id;
  const body = { name, providerType, fhirVersion, baseUrl, tokenUrl, clientId, clientAuth: "platform_key", scopes, description };
  const known = registered?.id ?? (await registeredAs(origin, token, name));
  const { id } = known
    ? await requestOk<{ id: string }>(origin, `PUT /api/admin/fhir/providers/${known}`, { token, body })
    : await requestOk<{ id: string }>(origin, "POST /api/admin/fhir/providers", { token, body });
  note({ id, baseUrl, scopes });
  save();
  return id;
}

/** Finds a provider that an interrupted start registered without noting its id. */
async function registeredAs(origin: string, token: string, name: string): Promise<string | undefined> {
  const list = await requestOk<{ id: string; name: string; ownerTenantId: string | null }[]>(origin, "GET /api/admin/fhir/providers", {
    token,
  });
  return list.find((one) => one.name === name && one.ownerTenantId === null)?.id;
}
