import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { assignFhirProvider, createFhirProvider } from "@vitaline/fhir-providers";
import { allowLoopback } from "@vitaline/outbound";
import { generatePlatformKey, keySet } from "@vitaline/platform-keys";
import { demoClientId, startSandboxEhr, type SandboxEhr } from "@vitaline/sandbox-ehr";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { startTestAws, type TestAws } from "../../test/fixtures/aws.ts";
import { addTenantRow } from "../../test/fixtures/tenant.ts";

type Clinic = { tenantId: string; providerId: string; sandbox: SandboxEhr };
export type Platform = { aws: TestAws; ctx: PlatformContext; clinics: [Clinic, Clinic]; close(): Promise<void> };

const scopes = "system/Patient.crus system/Appointment.crus system/Slot.rs system/Schedule.rs";

/** AWS in memory, a signing key published on an address of its own, and two tenants, each with an EHR. */
export async function startPlatform(): Promise<Platform> {
  const aws = await startTestAws();
  const ctx = aws.platform();
  await generatePlatformKey(ctx);
  const jwks = createServer((_, response) => {
    void keySet(ctx).then((set) => response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(set)));
  });
  await new Promise<void>((done) => jwks.listen(0, "127.0.0.1", done));
  const jwksUrl = `http://127.0.0.1:${(jwks.address() as AddressInfo).port}/.well-known/jwks.json`;
  const sandboxes = [await startSandboxEhr({ jwksUrl }), await startSandboxEhr({ jwksUrl })] as const;
  process.env.EGRESS_LOOPBACK_ORIGINS = sandboxes.map(({ origin }) => origin).join(",");
  allowLoopback("arn:aws:lambda:us-east-1:000000000000:function:vitaline-voice");
  const clinics: [Clinic, Clinic] = [
    await openClinic(ctx, aws.tenants[0], sandboxes[0]),
    await openClinic(ctx, aws.tenants[1], sandboxes[1]),
  ];
  return {
    aws,
    ctx,
    clinics,
    async close() {
      await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
      await new Promise((done) => jwks.close(done));
      await aws.close();
    },
  };
}

async function openClinic(ctx: PlatformContext, tenantId: string, sandbox: SandboxEhr): Promise<Clinic> {
  await addTenantRow(ctx, tenantId, `Clinic ${tenantId.slice(-4)}`);
  const unset = { clientSecret: undefined, redirectUri: undefined, authUrl: undefined, tokenUrl: undefined, description: undefined };
  const connection = {
    providerType: "custom",
    fhirVersion: "R4",
    baseUrl: sandbox.r4.baseUrl,
    clientId: demoClientId,
    scopes,
    isActive: true,
  } as const;
  const provider = await createFhirProvider(ctx, { name: "Sandbox", ...connection, ...unset });
  await assignFhirProvider(ctx, tenantId, provider.id);
  return { tenantId, providerId: provider.id, sandbox };
}
