import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type SecretEhr = {
  origin: string;
  r4: { baseUrl: string; tokenUrl: string };
  shown: string[];
  close(): Promise<void>;
};

const statement = {
  resourceType: "CapabilityStatement",
  status: "active",
  date: "2026-01-01",
  kind: "instance",
  fhirVersion: "4.0.1",
  format: ["json"],
};
const patient = {
  resourceType: "Patient",
  id: "p1",
  name: [{ use: "official", family: "Secret", given: ["Sam"] }],
  birthDate: "1980-02-03",
  gender: "male",
};

/** An OAuth server with client secrets (RFC 6749, 2.3.1) that accepts any client. */
export async function startSecretEhr(reachable: (origin: string) => string): Promise<SecretEhr> {
  const shown: string[] = [];
  const server = createServer((asked, answer) => {
    const say = (status: number, body: object, type = "application/fhir+json") =>
      answer.writeHead(status, { "content-type": type }).end(JSON.stringify(body));
    const { authorization = "" } = asked.headers;
    if (asked.url === "/token") {
      shown.push(Buffer.from(authorization.replace(/^Basic /, ""), "base64").toString());
      return say(200, { access_token: "granted", token_type: "bearer", expires_in: 60, scope: "system/Patient.read" }, "application/json");
    }
    if (asked.url === "/r4/metadata") return say(200, statement);
    if (asked.url === "/r4/Patient/p1" && authorization === "Bearer granted") return say(200, patient);
    return say(404, { resourceType: "OperationOutcome", issue: [{ severity: "error", code: "not-found" }] });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = reachable(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return {
    origin,
    r4: { baseUrl: `${origin}/r4`, tokenUrl: `${origin}/token` },
    shown,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
