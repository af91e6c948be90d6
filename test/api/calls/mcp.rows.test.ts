import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect } from "vitest";
import { openApiTest, type ApiTest } from "../../kit/api-test.ts";
import { proves } from "../../requirements/proves.ts";

const groups = {
  "Patient management": ["verifyPatientIdentity", "getPatientInfo", "createPatientFhir", "updatePatientFhir"],
  "Clinical actions": ["scheduleAppointment", "getPatientClinicalData", "getMedicationHistoryFhir", "sendCommunicationFhir"],
  Communication: ["sendSMS", "sendEmail"],
  "Internal operations": ["verifyInsurance", "logRoutingEvent", "getFhirProviders"],
};

let apiTest: ApiTest;
beforeAll(async () => {
  apiTest = await openApiTest();
});
afterAll(() => apiTest?.close());

async function withClient<T>(path: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ name: "a voice platform", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const headers = { authorization: `Bearer ${apiTest.tenants[0].apiKey}`, "x-call-id": `row-${crypto.randomUUID()}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(apiTest.it.origin + path), { requestInit: { headers } }));
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

const endpoint = () => `/api/mcp/${apiTest.tenants[0].id}`;
const namesAt = (path: string) => withClient(path, async (client) => (await client.listTools()).tools.map(({ name }) => name));
const verify = async (client: Client) => {
  const { given, family, birthDate, phone } = apiTest.it.demo.patients[0]!;
  const claim = { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber: phone };
  return client.callTool({ name: "verifyPatientIdentity", arguments: claim });
};
const verified = { structuredContent: { ok: true, data: { verified: true } } };

for (const id of ["D1.1-006", "D1.1-007", "D2.1-003"])
  proves(id, () =>
    withClient(endpoint(), async (client) => {
      expect(await verify(client)).toMatchObject(verified);
      const found = await client.callTool({ name: "scheduleAppointment", arguments: { action: "find" } });
      expect(found).toMatchObject({ structuredContent: { ok: true, data: { result: "found" } } });
    }),
  );

const thirteen = Object.values(groups).flat();
for (const id of ["D1.7-022", "D2.7-035"])
  proves(id, async () => {
    expect(thirteen).toHaveLength(13);
    expect(await namesAt(endpoint())).toEqual(expect.arrayContaining(thirteen));
  });

proves("D2.7-036", () =>
  withClient(`${endpoint()}/${apiTest.tenants[0].offices[0]!.id}`, async (client) => {
    expect(await verify(client)).toMatchObject(verified);
  }),
);

const ofGroup = {
  "D1.7-023": "Patient management",
  "D1.7-024": "Clinical actions",
  "D1.7-025": "Communication",
  "D1.7-026": "Internal operations",
} as const;
for (const [id, group] of Object.entries(ofGroup))
  proves(id, async () => expect(await namesAt(endpoint())).toEqual(expect.arrayContaining(groups[group])));

proves("D2.3-024", async () => expect(await namesAt(endpoint())).toEqual(expect.arrayContaining(thirteen)));
