import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openLine, type Line } from "./line.ts";
import type { TestPlatform } from "./platform.ts";

/** An EHR that takes every request and answers none; the path names the clinic. */
export async function startHungEhr() {
  const asked = new Map<string, number>();
  const server = createServer(({ url = "" }) => {
    const clinic = url.split("/")[1] ?? "";
    asked.set(clinic, (asked.get(clinic) ?? 0) + 1);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: (clinic: string) => asked.get(clinic) ?? 0,
    close: () => new Promise<void>((done) => void server.close(() => done()).closeAllConnections()),
  };
}

/** Connects every tenant but the first to a hung EHR of its own. Their callers by clinic. */
export async function connectHungEhrs(it: TestPlatform, hung: Awaited<ReturnType<typeof startHungEhr>>): Promise<Map<string, Line>> {
  const origin = it.reachable(hung.origin);
  const token = await it.tokenOf(it.demo.systemAdmin.email, it.demo.systemAdmin.password);
  const { id: clientId, scopes } = it.platform.sandbox.client;
  const patient = it.demo.patients[0]!;
  const callers = new Map<string, Line>();
  for (const [at, tenant] of it.demo.tenants.slice(1).entries()) {
    const clinic = `clinic-${at + 1}`;
    const [baseUrl, tokenUrl] = [`${origin}/${clinic}/fhir`, `${origin}/${clinic}/token`];
    const connection = { name: `EHR of ${clinic}`, providerType: "custom", fhirVersion: "R4", clientAuth: "platform_key" };
    const body = { ...connection, clientId, scopes, baseUrl, tokenUrl };
    const made = await it.api("POST", "/api/admin/fhir/providers", { token, body });
    const fhirProviderId = (made.json as { id: string }).id;
    const assigned = await it.api("PUT", `/api/admin/tenants/${tenant.id}/fhir-provider`, { token, body: { fhirProviderId } });
    if (made.status !== 201 || assigned.status !== 200) throw new Error(`${clinic} was not connected: ${made.text} ${assigned.text}`);
    callers.set(clinic, openLine(it.api, tenant.apiKey, patient));
  }
  return callers;
}
