import type { Caller } from "./line.ts";
import { startDemoClient, type SandboxEhr } from "@vitaline/sandbox-ehr";

type Stored = { id: string; status: string };
type Page = { entry?: { resource: Stored }[] };

export type EhrFault = { kind: string; match?: { method?: string; path?: string }; times?: number; delayMs?: number };

export async function openEhr({ origin, r4, registerClient }: SandboxEhr) {
  const client = await startDemoClient("inspector");
  registerClient(client);
  const grant = new URLSearchParams({
    grant_type: "client_credentials",
    scope: "system/*.crus",
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: await client.assertion(r4.tokenUrl),
  });
  const { access_token: token } = (await (await fetch(r4.tokenUrl, { method: "POST", body: grant })).json()) as { access_token: string };
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/fhir+json" };
    const response = await fetch(r4.baseUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return (await response.json()) as T;
  };
  const read = <T>(path: string): Promise<T> => ask("GET", path);
  const addPatient = (patient: object) => ask<Stored>("POST", "/Patient", patient);
  const faults = (method: string, body?: EhrFault) => fetch(`${origin}/faults`, { method, ...(body && { body: JSON.stringify(body) }) });

  return {
    slot: (id: string) => read<Stored>(`/Slot/${id}`),
    addPatient,
    /** Patients without appointments, since each patient may book only a few times. */
    addCallers: (count: number): Promise<(Caller & { id: string })[]> =>
      Promise.all(
        Array.from({ length: count }, async (_, at) => {
          const letters = [at % 26, Math.floor(at / 26)].map((one) => String.fromCharCode(97 + one)).join("");
          const caller = { given: "Casey", family: `Caller${letters}`, birthDate: "1979-08-07", phone: `+1617555${String(2000 + at)}` };
          const { id } = await addPatient({
            resourceType: "Patient",
            active: true,
            name: [{ use: "official", family: caller.family, given: [caller.given] }],
            birthDate: caller.birthDate,
            telecom: [{ system: "phone", value: caller.phone }],
          });
          return { ...caller, id };
        }),
      ),
    async freeSlots(): Promise<string[]> {
      const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
      const { entry = [] } = await read<Page>(`/Slot?status=free&start=ge${tomorrow}&_sort=start&_count=50`);
      return entry.map(({ resource }) => resource.id);
    },
    async doctorsOf(wanted: "female" | "male"): Promise<string[]> {
      type Doctors = { entry?: { resource: { gender?: string; name: { family: string }[] } }[] };
      const { entry = [] } = await read<Doctors>("/Practitioner?_count=50");
      return entry.flatMap(({ resource: { gender, name } }) => (gender === wanted ? name.map(({ family }) => family) : []));
    },
    async bookingsOf(slotId: string): Promise<Stored[]> {
      const { entry = [] } = await read<Page>(`/Appointment?slot=Slot/${slotId}&_count=50`);
      return entry.map(({ resource }) => resource).filter(({ status }) => status !== "cancelled");
    },
    async injectFaults(wanted: EhrFault[]): Promise<void> {
      for (const fault of wanted) {
        const { status } = await faults("POST", fault);
        if (status !== 200) throw new Error(`The sandbox knows no fault ${JSON.stringify(fault)}`);
      }
    },
    recover: async (): Promise<void> => void (await faults("DELETE")),
    close: () => client.close(),
  };
}
