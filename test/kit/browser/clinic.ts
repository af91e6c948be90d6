import { expect } from "vitest";
import { addTenant, type Login, type Site } from "./site.ts";

export type Clinic = {
  login: Login;
  id: string;
  key: string;
  tell(callId: string, message: object): Promise<void>;
  phone(callId: string, report: { seconds: number; minutesAgo?: number; endedReason?: string; isSuccess?: boolean }): Promise<void>;
  useTool(callId: string, name: string, given: object): Promise<void>;
};

export async function openClinic(site: Site, name: string): Promise<Clinic> {
  const login = await addTenant(site, name);
  const { json } = await site.api<{ tenantId: string; apiKey: string }>("GET", "/api/tenant/info", { token: await site.tokenFor(login) });
  const [id, key] = [json.tenantId, json.apiKey];
  const send = async (path: string, callId: string, message: object): Promise<void> => {
    const call = { id: callId, type: "inboundPhoneCall" };
    const body = { message: { timestamp: Date.now(), call, ...message } };
    expect((await site.api("POST", path, { key, body })).status).toBe(200);
    await site.platform.cloud.drained();
  };
  const tell: Clinic["tell"] = (callId, message) => send("/api/vapi/server", callId, message);
  return {
    login,
    id,
    key,
    tell,
    phone: (callId, { seconds, minutesAgo = seconds / 60, endedReason = "customer-ended-call", isSuccess = true }) => {
      const startedMs = Date.now() - minutesAgo * 60_000;
      return tell(callId, {
        type: "end-of-call-report",
        endedReason,
        startedAt: new Date(startedMs).toISOString(),
        endedAt: new Date(startedMs + seconds * 1000).toISOString(),
        durationSeconds: seconds,
        analysis: { successEvaluation: String(isSuccess) },
      });
    },
    useTool: (callId, toolName, given) =>
      send("/api/vapi/tool-call", callId, {
        type: "tool-calls",
        toolCallList: [{ id: `${callId}-${toolName}`, type: "function", function: { name: toolName, arguments: JSON.stringify(given) } }],
      }),
  };
}

export async function asConsole<T>(site: Site, method: string, path: string, body?: object): Promise<T> {
  const token = await site.tokenFor(site.demo.systemAdmin);
  const { status, json, text } = await site.api<T>(method, path, { token, ...(body && { body }) });
  if (status >= 300) throw new Error(`${method} ${path} answered ${status} ${text}`);
  return json;
}

export async function changeTenant(site: Site, id: string, changed: object): Promise<void> {
  const path = `/api/admin/tenants/${id}`;
  const { name, contactEmail, organizationType, isActive, plan, policies } = await asConsole<Record<string, unknown>>(site, "GET", path);
  await asConsole(site, "PUT", path, { name, contactEmail, organizationType, isActive, plan, policies, ...changed });
}

export async function assignSandbox(site: Site, { id }: Pick<Clinic, "id">): Promise<void> {
  await asConsole(site, "PUT", `/api/admin/tenants/${id}/fhir-provider`, { fhirProviderId: site.demo.tenants[0]!.fhirProviderId });
}
