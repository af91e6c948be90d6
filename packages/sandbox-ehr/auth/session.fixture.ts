import { startDemoClient } from "./demo-client.ts";
import { startSandboxEhr, type SandboxOptions } from "../start.ts";

export async function openSession(options: SandboxOptions = {}) {
  const client = await startDemoClient();
  const sandbox = await startSandboxEhr({ ...options, clients: [client, ...(options.clients ?? [])] });

  const askTokenOf = async (tokenUrl: string, form: Record<string, string> = {}) => {
    const body = new URLSearchParams({
      grant_type: "client_credentials",
      scope: "system/*.cruds",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: await client.assertion(tokenUrl),
      ...form,
    });
    const response = await fetch(tokenUrl, { method: "POST", body });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };

  const at = (
    { baseUrl, tokenUrl }: { baseUrl: string; tokenUrl: string },
    { scope = "system/*.cruds", type = "application/fhir+json" } = {},
  ) => {
    let token = "";
    return async (method: string, path: string, body?: object | URLSearchParams, headers: Record<string, string> = {}) => {
      token ||= (await askTokenOf(tokenUrl, { scope })).body.access_token ?? "";
      const response = await fetch(baseUrl + path, {
        method,
        headers: {
          Authorization: `Bearer ${token}`,
          ...(body instanceof URLSearchParams ? {} : { "Content-Type": type }),
          ...headers,
        },
        ...(body && { body: body instanceof URLSearchParams ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text.startsWith("{") ? JSON.parse(text) : text };
    };
  };
  const askToken = (form: Record<string, string> = {}) => askTokenOf(sandbox.r4.tokenUrl, form);
  const call = at(sandbox.r4);
  const fault = (body: object) => fetch(`${sandbox.origin}/faults`, { method: "POST", body: JSON.stringify(body) });
  const freeSlot = async (): Promise<{ id: string; start: string; end: string }> => {
    const later = new Date(Date.now() + 86_400_000).toISOString();
    return (await call("GET", `/Slot?status=free&start=ge${later}&_sort=start&_count=1`)).body.entry[0].resource;
  };
  const close = async () => {
    await sandbox.close();
    await client.close();
  };
  return { client, sandbox, askToken, askTokenOf, at, call, fault, freeSlot, close };
}

export const bookingOf = (slotId: string, patientId = "patient-1001") => ({
  resourceType: "Appointment",
  status: "booked",
  slot: [{ reference: `Slot/${slotId}` }],
  participant: [{ actor: { reference: `Patient/${patientId}` }, status: "accepted" }],
});
