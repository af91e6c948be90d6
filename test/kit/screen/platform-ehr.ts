import { fhirProviders, type FhirHealth, type FhirProvider, type NewFhirProvider } from "@vitaline/contract";
import { demo, recordedAt } from "./demo-answers.ts";
import { refusal, type FakeApi } from "./fake-api.ts";

const recorded = demo("system_admin", fhirProviders.listFhirProviders);

export const sandboxEhr = recorded[0] as FhirProvider;

export const oldRecords: FhirProvider = {
  ...sandboxEhr,
  id: "01m83bhjzzzzzzzzzzzzzzzzzz",
  name: "Old records",
  providerName: "Old records",
  fhirVersion: "STU3",
  clientId: "clinic-of-its-own",
  clientAuth: "client_secret",
  hasClientSecret: true,
  scopes: "patient/Patient.read user/Patient.read user/Slot.read",
  access: "Read Only",
  resourceCount: 2,
  isActive: false,
  description: null,
  version: 3,
};

const textsOf = (body: Pick<NewFhirProvider, "redirectUri" | "authUrl" | "tokenUrl" | "certificateData" | "description">) => ({
  redirectUri: body.redirectUri ?? null,
  authUrl: body.authUrl ?? null,
  tokenUrl: body.tokenUrl ?? null,
  certificateData: body.certificateData ?? null,
  description: body.description ?? null,
});

const healthOf = ({ id, name, baseUrl, connectionStatus }: FhirProvider): FhirHealth => ({
  id,
  name,
  endpoint: baseUrl,
  status: connectionStatus,
  lastChecked: connectionStatus === "unknown" ? null : recordedAt.toISOString(),
  certificateExpiry: null,
  history: [],
});

export function keepEhrs(api: FakeApi, listed: FhirProvider[] = [...recorded, oldRecords]) {
  const found = { status: "healthy" as FhirHealth["status"] };
  const change = (id: string, to: Partial<FhirProvider>): FhirProvider => {
    const at = listed.findIndex((one) => one.id === id);
    const next = { ...(listed[at] as FhirProvider), ...to };
    listed[at] = { ...next, providerName: next.name };
    return listed[at];
  };
  api.on(fhirProviders.listFhirProviders, () => listed);
  api.on(fhirProviders.fhirHealthStatus, () => ({ providers: listed.map(healthOf) }));
  api.on(fhirProviders.createFhirProvider, ({ body }) => {
    const { clientSecret, privateKey, clientAuth = "client_secret", grant = "client_credentials", ...to } = body;
    const id = `01m83bhk0000000000000000${String(listed.length).padStart(2, "0")}`;
    const secrets = { hasClientSecret: Boolean(clientSecret), hasPrivateKey: Boolean(privateKey) };
    listed.push({ ...sandboxEhr, id, connectionStatus: "unknown", version: 1 });
    return change(id, { ...to, clientAuth, grant, ...secrets, ...textsOf(body) });
  });
  api.on(fhirProviders.updateFhirProvider, ({ params, ifMatch, body }) => {
    const before = listed.find(({ id }) => id === params.id) ?? oldRecords;
    if (ifMatch !== before.version) return refusal(409, { error: "This has been changed in the meantime.", code: "stale_version" });
    const { name, baseUrl, clientId, scopes, isActive = before.isActive } = body;
    const isSame = clientId === before.clientId && baseUrl === before.baseUrl;
    const connectionStatus = isSame ? before.connectionStatus : "unknown";
    const version = before.version + 1;
    return change(params.id, { name, baseUrl, clientId, scopes, isActive, ...textsOf(body), connectionStatus, version });
  });
  api.on(fhirProviders.checkFhirProvider, ({ params }) => healthOf(change(params.id, { connectionStatus: found.status })));
  return { listed, found, change };
}
