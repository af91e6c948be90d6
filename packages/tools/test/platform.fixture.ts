import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { FhirVersion } from "@vitaline/fhir";
import { assignFhirProvider, createFhirProvider } from "@vitaline/fhir-providers";
import { allowLoopback } from "@vitaline/outbound";
import { keySet } from "@vitaline/platform-keys";
import { startSandboxEhr, type SandboxEhr } from "@vitaline/sandbox-ehr";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { ensurePlatformKey, startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { addTenantRow } from "../../../test/kit/store/tenant-row.ts";
import { loadTools } from "../index.ts";

const tools = await loadTools();

type Clinic = { tenantId: string; providerId: string; sandbox: SandboxEhr };
export type Platform = { aws: TestAws; ctx: PlatformContext; clinics: [Clinic, Clinic]; close(): Promise<void> };

const vendors = { plain: "custom", readonly: "custom", "epic-like": "epic", "cerner-like": "cerner", "hapi-like": "custom" } as const;

export type EhrServer = { personality: keyof typeof vendors; version: FhirVersion };

/** All scopes of the tools, and their names in older FHIR versions. */
const scopes = [
  ...new Set(Object.values(tools).flatMap((tool) => [...tool.scopes, ...tool.optionalScopes])),
  ...["system/MedicationOrder.rs", "system/EligibilityRequest.crs", "system/EligibilityResponse.rs"],
].join(" ");

/** AWS in memory, a published signing key, and two tenants, each with an EHR. */
export async function startPlatform(server: EhrServer = { personality: "plain", version: "R4" }): Promise<Platform> {
  const aws = await startTestAws();
  const ctx = aws.platform();
  await ensurePlatformKey(ctx);
  const jwks = createServer((_, response) => {
    void keySet(ctx).then((set) => response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(set)));
  });
  await new Promise<void>((done) => jwks.listen(0, "127.0.0.1", done));
  const jwksUrl = `http://127.0.0.1:${(jwks.address() as AddressInfo).port}/.well-known/jwks.json`;
  const sandboxes = [await startSandboxEhr({ jwksUrl }), await startSandboxEhr({ jwksUrl })] as const;
  process.env.EGRESS_LOOPBACK_ORIGINS = sandboxes.map(({ origin }) => origin).join(",");
  allowLoopback("arn:aws:lambda:us-east-1:000000000000:function:vitaline-voice");
  const clinics: [Clinic, Clinic] = [
    await openClinic(ctx, aws.tenants[0], sandboxes[0], server),
    await openClinic(ctx, aws.tenants[1], sandboxes[1], server),
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

function baseUrlOf({ servers }: SandboxEhr, { personality, version }: EhrServer): string {
  const versions: Partial<Record<FhirVersion, { baseUrl: string }>> = servers[personality];
  const place = versions[version];
  if (!place) throw new Error(`The sandbox has no ${personality} server of ${version}`);
  return place.baseUrl;
}

async function openClinic(ctx: PlatformContext, tenantId: string, sandbox: SandboxEhr, server: EhrServer): Promise<Clinic> {
  // Results must not depend on the time of day.
  const businessHours = { start: "00:00", end: "23:59", timezone: "America/New_York" };
  const ways = { defaultMethod: "phone", emailEnabled: true, smsEnabled: true, phoneEnabled: true } as const;
  await addTenantRow(ctx, tenantId, `Clinic ${tenantId.slice(-4)}`, {
    contactPhone: "617-555-0100",
    contactPreferences: { ...ways, businessHours },
    // Tests that count writes must not meet those of the tenant's limit.
    policies: { toolRunsPerMinute: 100_000 },
  });
  return { tenantId, providerId: await connect(ctx, { tenantId, sandbox }, server), sandbox };
}

/** Connects a tenant to another server of its sandbox, over the same records; returns the provider id. */
export async function connect(
  ctx: PlatformContext,
  { tenantId, sandbox }: Pick<Clinic, "tenantId" | "sandbox">,
  server: EhrServer,
): Promise<string> {
  const unset = { clientSecret: undefined, redirectUri: undefined, authUrl: undefined, tokenUrl: undefined, description: undefined };
  const connection = {
    providerType: vendors[server.personality],
    fhirVersion: server.version,
    baseUrl: baseUrlOf(sandbox, server),
    clientId: sandbox.client.id,
    clientAuth: "platform_key",
    scopes,
    isActive: true,
  } as const;
  const provider = await createFhirProvider(ctx, { name: `Sandbox, ${server.personality}`, ...connection, ...unset });
  await assignFhirProvider(ctx, tenantId, provider.id);
  return provider.id;
}
