import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createFhirProvider, assignFhirProvider } from "@vitaline/fhir-providers";
import { allowLoopback } from "@vitaline/outbound";
import { keySet } from "@vitaline/platform-keys";
import { demoClientId, startSandboxEhr } from "@vitaline/sandbox-ehr";
import { keys, type TenantRow } from "@vitaline/store";
import { platformStore, type PlatformContext } from "@vitaline/store/platform.ts";
import { createVoiceProvider } from "@vitaline/voice-providers";
import { ensurePlatformKey, startTestAws } from "../../test/kit/aws.ts";
import { addTenantRow } from "../../test/kit/store/tenant-row.ts";
import { probeAll } from "./index.ts";

/** Minimum response time of the API in these tests. */
const apiMs = 5;

export const goodKey = "a-voice-key-that-is-good";

/** Two tenants, each with its own EHR and Vapi. The first tenant's are healthy; the second's EHR is unreachable and its API key is rejected. */
export async function startClinics() {
  const aws = await startTestAws();
  const ctx = aws.platform();
  await ensurePlatformKey(ctx);
  let ask = 0;
  const server = createServer((request, response) => {
    if (request.url === "/jwks") return void keySet(ctx).then((set) => json(response, 200, set));
    if (request.url?.startsWith("/limited/")) return json(response, 429, {});
    ask += 1;
    return json(response, request.headers.authorization === `Bearer ${goodKey}` ? 200 : 401, []);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sandbox = await startSandboxEhr({ jwksUrl: `${origin}/jwks` });
  process.env["EGRESS_LOOPBACK_ORIGINS"] = [origin, sandbox.origin, "http://127.0.0.1:9"].join(",");
  allowLoopback("arn:aws:lambda:us-east-1:000000000000:function:vitaline-health");
  const [mine, others] = (await Promise.all(aws.tenants.map((id, at) => addTenantRow(ctx, id, `Clinic ${at + 1}`)))) as [
    TenantRow,
    TenantRow,
  ];

  const addEhr = async (tenant: TenantRow, baseUrl: string, tokenUrl: string) => {
    const { id } = await createFhirProvider(ctx, {
      name: `EHR of ${tenant.name}`,
      providerType: "custom",
      fhirVersion: "R4",
      baseUrl,
      tokenUrl,
      clientId: demoClientId,
      scopes: "system/Patient.rs",
      isActive: true,
    });
    await assignFhirProvider(ctx, tenant.id, id);
    return id;
  };
  const addVoice = (tenantId: string, apiKey: string, path = "") =>
    createVoiceProvider(aws.inTenant(tenantId), {
      providerType: "vapi",
      providerName: "Our Vapi",
      config: { apiKey, baseUrl: `${origin}${path}`, settings: {} },
      isDefault: false,
      isActive: true,
    });
  await addEhr(mine, sandbox.r4.baseUrl, sandbox.r4.tokenUrl);
  await addEhr(others, "http://127.0.0.1:9/fhir", "http://127.0.0.1:9/token");
  const voice = [await addVoice(mine.id, goodKey), await addVoice(others.id, "a-voice-key-that-is-refused")] as const;
  const readTenant = async ({ id }: TenantRow) => (await ctx.platform.inTenant(id).get(keys.tenantConfig()))!;
  return {
    aws,
    ctx,
    voice,
    addVoice,
    tenants: [await readTenant(mine), await readTenant(others)] as [TenantRow, TenantRow],
    /** Number of requests to the voice platform. */
    asked: () => ask,
    apiMs,
    probe: (by: PlatformContext = ctx, askApi = (): Promise<void> => sleep(apiMs + 2)) => probeAll(by, askApi),
    at: (laterMs: number): PlatformContext => {
      const later = { ...ctx, clock: () => new Date(Date.now() + laterMs) };
      return { ...later, platform: platformStore(later) };
    },
    async close() {
      delete process.env["EGRESS_LOOPBACK_ORIGINS"];
      await sandbox.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await aws.close();
    },
  };
}

const json = (response: ServerResponse, status: number, body: unknown): void =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
