import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { deadlineIn } from "@vitaline/core";
import { allowLoopback } from "@vitaline/outbound";
import { keySet } from "@vitaline/platform-keys";
import { demoClientId, type SandboxEhr, startSandboxEhr } from "@vitaline/sandbox-ehr";
import { keys, type TenantRow } from "@vitaline/store";
import { type PlatformContext, platformStore } from "@vitaline/store/platform.ts";
import { ensurePlatformKey, startTestAws, type TestAws } from "../../test/kit/aws.ts";
import { addTenantRow } from "../../test/kit/store/tenant-row.ts";

const scopes = "system/Patient.crus system/Appointment.crus system/Slot.rs";

export type Platform = {
  aws: TestAws;
  ctx: PlatformContext;
  /** One sandbox for each of the two tenants; both know the platform's keys from its key set. */
  sandboxes: [SandboxEhr, SandboxEhr];
  tenants: [TenantRow, TenantRow];
  readTenant(id: string): Promise<TenantRow>;
  /** The same platform a while later, or in a hurry. */
  at(change: { laterMs?: number; deadlineMs?: number }): PlatformContext;
  close(): Promise<void>;
};

/** The platform's AWS, two tenants, a signing key published on an address of its own, and an EHR for each tenant. */
export async function startPlatform(): Promise<Platform> {
  const aws = await startTestAws();
  const ctx = aws.platform();
  await ensurePlatformKey(ctx);
  const jwks = createServer((_, response) => {
    void keySet(ctx).then((set) => response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(set)));
  });
  await new Promise<void>((done) => jwks.listen(0, "127.0.0.1", done));
  const jwksUrl = `http://127.0.0.1:${(jwks.address() as AddressInfo).port}/.well-known/jwks.json`;
  const sandboxes: [SandboxEhr, SandboxEhr] = [await startSandboxEhr({ jwksUrl }), await startSandboxEhr({ jwksUrl })];
  process.env.EGRESS_LOOPBACK_ORIGINS = sandboxes.map(({ origin }) => origin).join(",");
  allowLoopback("arn:aws:lambda:us-east-1:000000000000:function:vitaline-voice");
  const tenants = (await Promise.all(aws.tenants.map((id, index) => addTenantRow(ctx, id, `Clinic ${index + 1}`)))) as [
    TenantRow,
    TenantRow,
  ];
  return {
    aws,
    ctx,
    sandboxes,
    tenants,
    async readTenant(id) {
      const row = await ctx.platform.inTenant(id).get(keys.tenantConfig());
      if (!row) throw new Error("no such tenant");
      return row as TenantRow;
    },
    at({ laterMs = 0, deadlineMs = 8000 }) {
      const later = { ...ctx, clock: () => new Date(Date.now() + laterMs), deadline: deadlineIn(deadlineMs) };
      return { ...later, platform: platformStore(later) };
    },
    async close() {
      await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
      await new Promise((done) => jwks.close(done));
      await aws.close();
    },
  };
}

export const providerInput = (sandbox: SandboxEhr, more: object = {}) => ({
  name: "Riverside EHR",
  providerType: "custom" as const,
  fhirVersion: "R4" as const,
  baseUrl: `${sandbox.r4.baseUrl}/`,
  clientId: demoClientId,
  clientSecret: undefined,
  scopes,
  redirectUri: undefined,
  authUrl: undefined,
  tokenUrl: undefined,
  isActive: true,
  description: undefined,
  ...more,
});
