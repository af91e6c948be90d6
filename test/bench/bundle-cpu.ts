import { spawn } from "node:child_process";
import { once } from "node:events";
import { deadlineIn, pause } from "@vitaline/core";
import { createFhirClient, type FhirVersion } from "@vitaline/fhir";
import { allowLoopback, outboundFetch } from "@vitaline/outbound";
import type { FhirResource, MedicationRequest, Observation } from "fhir/r4.js";
import { versions as spoken } from "../../packages/fhir/versions/versions.ts";
import { versions } from "../../packages/sandbox-ehr/servers.ts";

const entries = 100;
const rounds = 60;
const warmUp = 30;

const observation = (id: number): Observation => ({
  resourceType: "Observation",
  id: `observation-${id}`,
  meta: { versionId: "1", lastUpdated: "2026-01-05T10:00:00Z" },
  status: "final",
  category: [{ coding: [{ system: "http://terminology.hl7.org/CodeSystem/observation-category", code: "vital-signs" }] }],
  code: { coding: [{ system: "http://loinc.org", code: "85354-9", display: "Blood pressure panel" }], text: "Blood pressure" },
  subject: { reference: "Patient/patient-1" },
  encounter: { reference: `Encounter/encounter-${id}` },
  effectiveDateTime: "2026-01-05T10:00:00Z",
  performer: [{ reference: "Practitioner/practitioner-1", display: "Dr. Sample" }],
  component: [138, 86].map((value) => ({
    code: { text: "Pressure" },
    valueQuantity: { value, unit: "mmHg", system: "http://unitsofmeasure.org", code: "mm[Hg]" },
  })),
});
const prescription = (id: number): MedicationRequest => ({
  resourceType: "MedicationRequest",
  id: `prescription-${id}`,
  meta: { versionId: "1", lastUpdated: "2026-01-05T10:00:00Z" },
  status: "active",
  intent: "order",
  medicationCodeableConcept: {
    coding: [{ system: "http://www.nlm.nih.gov/research/umls/rxnorm", code: "861007" }],
    text: "Metformin 500 mg",
  },
  subject: { reference: "Patient/patient-1" },
  requester: { reference: "Practitioner/practitioner-1", display: "Dr. Sample" },
  authoredOn: "2026-01-05T10:00:00Z",
  dosageInstruction: [
    {
      text: "Twice a day",
      timing: { repeat: { frequency: 2, period: 1, periodUnit: "d" } },
      doseAndRate: [{ doseQuantity: { value: 1 } }],
    },
  ],
  dispenseRequest: { numberOfRepeatsAllowed: 3, quantity: { value: 60 } },
});

/** Answers every request with one body, in its own process, so that its CPU is not counted. */
const server = `
  const body = Buffer.from(process.argv[1], "base64");
  const server = require("node:http").createServer((_, response) => response.writeHead(200, { "Content-Type": process.argv[2] }).end(body));
  server.listen(0, "127.0.0.1", () => process.stdout.write(String(server.address().port)));
`;

async function withServer<T>(body: string, mediaType: string, run: (origin: string) => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, ["-e", server, Buffer.from(body).toString("base64"), mediaType], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [port] = (await once(child.stdout, "data")) as [Buffer];
    const origin = `http://127.0.0.1:${port.toString()}`;
    process.env.EGRESS_LOOPBACK_ORIGINS = origin;
    allowLoopback("arn:aws:lambda:us-east-1:000000000000:function:vitaline-bench");
    return await run(origin);
  } finally {
    child.kill();
  }
}

/** Median CPU milliseconds per call after warm-up. */
async function cpuMs(call: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < warmUp + rounds; round++) {
    const before = process.cpuUsage();
    await call();
    const { user, system } = process.cpuUsage(before);
    if (round >= warmUp) times.push((user + system) / 1000);
  }
  return times.sort((a, b) => a - b)[rounds / 2] ?? 0;
}

async function measure(fhirVersion: FhirVersion, records: FhirResource[]): Promise<{ bytes: number; bareMs: number; clientMs: number }> {
  const version = versions[fhirVersion];
  const entry = records.map((resource) => ({
    fullUrl: `urn:uuid:${resource.id}`,
    resource: version.toNative(resource, { all: () => [] }),
    search: { mode: "match" },
  }));
  const body = JSON.stringify({ resourceType: "Bundle", type: "searchset", total: entries, link: [], entry });
  return withServer(body, spoken[fhirVersion].mediaType, async (origin) => {
    const type = records[0]?.resourceType ?? "Observation";
    const ctx = { clock: () => new Date(), deadline: deadlineIn(600_000), pause, log: () => undefined };
    const client = createFhirClient(ctx, {
      ...{ baseUrl: origin, fhirVersion },
      accessToken: async () => "a-token",
      sharedCapability: (ask, options) => ask(options),
    });
    const search = async () => {
      const found = await client.search(type, { patient: "patient-1" }, { maxResources: entries });
      if (found.length !== entries) throw new Error(`${found.length} of ${entries} records came`);
    };
    const bare = async () => JSON.parse((await outboundFetch(origin, { method: "POST", body: "patient=patient-1" })).text()) as unknown;
    return { bytes: body.length, bareMs: await cpuMs(bare), clientMs: await cpuMs(search) };
  });
}

/** CPU of our client for a Bundle of 100 entries, compared with a bare request and JSON.parse, by FHIR version. */
export async function bundleCpu(): Promise<string> {
  const lines: string[] = [];
  for (const fhirVersion of ["R4", "STU3", "DSTU2"] as const) {
    for (const make of [observation, prescription]) {
      const records = Array.from({ length: entries }, (_, id) => make(id));
      const { bytes, bareMs, clientMs } = await measure(fhirVersion, records);
      const added = `${(clientMs - bareMs).toFixed(2)} ms added, ${(clientMs / bareMs).toFixed(2)} × the bare request and JSON.parse (${bareMs.toFixed(2)} ms)`;
      lines.push(
        `${fhirVersion.padEnd(6)} ${entries} × ${(records[0]?.resourceType ?? "").padEnd(18)} ${(bytes / 1000).toFixed(0).padStart(4)} KB  ${added}`,
      );
    }
  }
  return ["CPU of our FHIR client on one Bundle (at most 5 ms):", ...lines].join("\n");
}
