import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { assignFhirProvider, createFhirProvider } from "@vitaline/fhir-providers";
import { createOffice } from "@vitaline/offices";
import { allowLoopback } from "@vitaline/outbound";
import { keySet } from "@vitaline/platform-keys";
import { demoClientId, startSandboxEhr, type SandboxEhr } from "@vitaline/sandbox-ehr";
import type { TenantContext } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { createTenant } from "@vitaline/tenants";
import { ensurePlatformKey, fromEdge, startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { handler } from "./handler.ts";

const bookingScopes = "system/Patient.crus system/Appointment.crus system/Slot.rs system/Schedule.rs";

const invokedFunctionArn = "arn:aws:lambda:us-east-1:000000000000:function:vitaline-voice";

export type Clinic = { id: string; apiKey: string; sandbox: SandboxEhr; ctx: TenantContext };
export type Clinics = {
  origin: string;
  aws: TestAws;
  clinics: [Clinic, Clinic];
  /** Lambda's remaining time at the start of a request. */
  remainingMs: number;
  close(): Promise<void>;
};

/** Two clinics with an API key and an EHR each, and the voice function behind HTTP. */
export async function startClinics({ scopes = bookingScopes, firstSlotDay = 0 } = {}): Promise<Clinics> {
  const aws = await startTestAws();
  const ctx = aws.platform();
  await ensurePlatformKey(ctx);
  const server = createServer((request, response) => void answer(ctx, request, response, town.remainingMs));
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const jwksUrl = `${origin}/.well-known/jwks.json`;
  const sandboxes = [await startSandboxEhr({ jwksUrl, firstSlotDay }), await startSandboxEhr({ jwksUrl, firstSlotDay })] as const;
  process.env["EGRESS_LOOPBACK_ORIGINS"] = sandboxes.map((sandbox) => sandbox.origin).join(",");
  allowLoopback(invokedFunctionArn);
  const clinics: [Clinic, Clinic] = [
    await addClinic(aws, ctx, "One", sandboxes[0], scopes),
    await addClinic(aws, ctx, "Two", sandboxes[1], scopes),
  ];
  const town: Clinics = {
    origin,
    aws,
    clinics,
    remainingMs: 20_000,
    async close() {
      await Promise.all(clinics.map(({ sandbox }) => sandbox.close()));
      await new Promise((done) => void server.close(done).closeAllConnections());
      await aws.close();
    },
  };
  return town;
}

async function addClinic(aws: TestAws, ctx: PlatformContext, name: string, sandbox: SandboxEhr, scopes: string): Promise<Clinic> {
  const { id, apiKey } = await createTenant(ctx, { name, organizationType: "clinic", contactEmail: "office@clinic.example" });
  const { baseUrl, tokenUrl } = sandbox.r4;
  const { id: providerId } = await createFhirProvider(ctx, {
    name,
    providerType: "custom",
    fhirVersion: "R4",
    baseUrl,
    tokenUrl,
    clientId: demoClientId,
    scopes,
    isActive: true,
  });
  await assignFhirProvider(ctx, id, providerId);
  // A front desk that never closes
  const hours = { start: "00:00", end: "23:59", timezone: "UTC" };
  const staffRouting = [{ label: "Front desk", phone: "+14155550123", reasons: [], hours }];
  const own = aws.inTenant(id);
  await createOffice(own, { name: "Only office", isActive: true, staffRouting });
  return { id, apiKey, sandbox, ctx: own };
}

/** Converts a request to API Gateway's payload format 2.0. */
async function answer(ctx: PlatformContext, request: IncomingMessage, response: ServerResponse, remainingMs: number): Promise<void> {
  const { method = "", url = "", headers } = request;
  if (method === "GET") return void response.end(JSON.stringify(await keySet(ctx)));
  const event = {
    routeKey: `${method} ${url}`,
    rawPath: url,
    rawQueryString: "",
    headers: { ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])), ...(await fromEdge()) },
    body: await text(request),
    isBase64Encoded: false,
    requestContext: { domainName: "localhost", http: { method, sourceIp: "203.0.113.9" } },
  };
  const {
    statusCode,
    headers: answered,
    body,
  } = await handler(event, {
    awsRequestId: randomUUID(),
    functionName: "vitaline-voice",
    invokedFunctionArn,
    getRemainingTimeInMillis: () => remainingMs,
  });
  response.writeHead(statusCode, answered).end(body);
}
