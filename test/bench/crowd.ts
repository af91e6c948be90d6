import type { SandboxEhr } from "@vitaline/sandbox-ehr";
import { limitConcurrency } from "../../web/src/lib/api/limit-concurrency.ts";
import { openWire } from "../call/platforms/request.ts";

export const crowd = { tenants: 200, users: 1000, fhirProviders: 100 };

type Place = { origin: string; admin: { email: string; password: string }; sandbox: Pick<SandboxEhr, "r4" | "client"> };
type Made = { id: string };

const each = <T>(count: number, work: (number: number) => Promise<T>): Promise<T[]> => {
  const queue = limitConcurrency(4);
  return Promise.all(Array.from({ length: count }, (_, index) => queue(() => work(index + 1))));
};

export async function addCrowd({ origin, admin, sandbox }: Place): Promise<void> {
  const wire = openWire(origin);
  const tell = async <T = Made>(path: string, body: object, headers = {}): Promise<T> =>
    (await wire.tell({ path, headers, body })).answer as T;
  const { token } = await tell<{ token: string }>("/api/auth/login", admin);
  const add = <T = Made>(path: string, body: object) => tell<T>(`/api/admin${path}`, body, { authorization: `Bearer ${token}` });

  const addTenant = async (number: number): Promise<string> => {
    const { id } = await add("/tenants", {
      name: `Clinic ${number} of the Northern Lakes`,
      contactEmail: `office@clinic-${number}.example`,
    });
    await add(`/tenants/${id}/offices`, { name: "Main Street" });
    if (number % 2 === 0) return id;
    const account = { providerType: "vapi", providerName: "Vapi", config: { apiKey: `key-of-clinic-${number}` } };
    const { id: voiceProviderId } = await add(`/tenants/${id}/voice-providers`, account);
    for (const agent of ["Reception", "After hours"])
      await add(`/tenants/${id}/voice-agents`, { voiceProviderId, externalAgentId: `${agent} ${number}`, agentName: agent });
    return id;
  };
  const tenants = await each(crowd.tenants, addTenant);

  await each(crowd.users, (number) => {
    const person = { email: `person-${number}@clinic.example`, firstName: "Pat", lastName: `Number ${number}`, invite: true };
    return add("/users", { ...person, role: "tenant_admin", tenantId: tenants[number % tenants.length] });
  });

  const { baseUrl, tokenUrl } = sandbox.r4;
  const { id: clientId, scopes } = sandbox.client;
  await each(crowd.fhirProviders, (number) =>
    add("/fhir/providers", {
      name: `Hospital ${number}`,
      providerType: "custom",
      baseUrl,
      tokenUrl,
      clientId,
      clientAuth: "platform_key",
      scopes,
    }),
  );
}
