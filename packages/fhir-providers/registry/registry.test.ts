import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { isAppError, newId } from "@vitaline/core";
import { type AuditRow, keys, update } from "@vitaline/store";
import { partitions, tenantPartitions } from "@vitaline/store/keys.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Platform, providerInput, startPlatform } from "../fhir-providers.fixture.ts";
import { assignFhirProvider, createFhirProvider, listFhirProviders } from "../index.ts";

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
}, 60_000);
afterAll(() => platform.close());

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    (error: unknown) => (isAppError(error) ? error.code : String(error)),
  );
const addProvider = (more: object = {}) => createFhirProvider(platform.ctx, providerInput(platform.sandboxes[0], more));
const month = () => new Date().toISOString().slice(0, 7);
const audits = async (tenantId: string) =>
  (await platform.ctx.platform.query<AuditRow>(tenantPartitions.audit(tenantId, month(), "configuration_change"))).rows;
const versionsOf = async (tenantId: string) => {
  const store = platform.ctx.platform.inTenant(tenantId);
  const rows = await Promise.all([store.get(keys.tenantConfig()), store.get(keys.tenantDirectory())]);
  return rows.map((row) => row?.version ?? 1);
};
/** Everything that says which provider a tenant has. */
const assignmentOf = async (tenantId: string, ...providerIds: string[]) => {
  const store = platform.ctx.platform.inTenant(tenantId);
  const [tenant, listed, ...used] = await Promise.all([
    store.get(keys.tenantConfig()),
    store.get(keys.tenantDirectory()),
    ...providerIds.map((id) => store.get(keys.fhirUsedBy(id, tenantId, "-"))),
  ]);
  return [tenant?.fhirProviderId, listed?.fhirProviderId, providerIds.filter((_, index) => used[index] !== undefined)];
};

describe("registering an EHR", () => {
  it("keeps what was given, with an address that paths can be appended to", async () => {
    const provider = await addProvider();
    expect(provider).toMatchObject({
      name: "Riverside EHR",
      providerName: "Riverside EHR",
      baseUrl: platform.sandboxes[0].r4.baseUrl,
      hasClientSecret: false,
      tokenUrl: null,
      description: null,
      isActive: true,
    });
    expect((await platform.ctx.platform.query<{ id: string }>(partitions.fhirProviders)).rows.map(({ id }) => id)).toContain(provider.id);
  });

  it("puts a client secret into Secrets Manager and nowhere else", async () => {
    const provider = await addProvider({ clientSecret: "planted-secret-value" });
    const row = await platform.ctx.platform.get(keys.fhirProvider(provider.id));
    expect(provider.hasClientSecret).toBe(true);
    expect(JSON.stringify([provider, row])).not.toContain("planted-secret-value");
    const found = await new SecretsManagerClient({}).send(
      new GetSecretValueCommand({ SecretId: row?.clientSecret?.arn, VersionId: row?.clientSecret?.versionId }),
    );
    expect([found.Name, found.SecretString]).toEqual([`vitaline/test/fhir/${provider.id}/client-secret`, "planted-secret-value"]);
  });

  it.each([
    ["baseUrl", "ftp://ehr.example/r4"],
    ["baseUrl", "https://user:pass@ehr.example/r4"],
    ["baseUrl", "https://ehr.example/r4?tenant=1"],
    ["baseUrl", "http://ehr.example/r4"],
    ["baseUrl", "https://169.254.169.254/latest"],
    ["baseUrl", "https://10.0.0.1/r4"],
    ["baseUrl", "https://[::1]/r4"],
    ["baseUrl", "https://localhost"],
    ["baseUrl", "https://ehr/r4"],
    ["baseUrl", "https://ehr.local/r4"],
    ["tokenUrl", "https://ehr.internal/token"],
    ["tokenUrl", "javascript:alert(1)"],
    ["authUrl", "javascript:alert(1)"],
    ["redirectUri", "https://user:pass@app.example/callback"],
  ])("refuses as %s %s", async (field, address) => {
    expect(await addProvider({ [field]: address }).catch((error: unknown) => error)).toMatchObject({
      code: "invalid_request",
      fields: { [field]: expect.any(String) },
    });
  });

  it("takes a loopback address only where it was opened, and lets https through", async () => {
    expect(await codeOf(addProvider())).toBe("done");
    expect(await codeOf(addProvider({ baseUrl: "http://127.0.0.1:9/r4" }))).toBe("invalid_request");
    expect(await codeOf(addProvider({ baseUrl: "https://ehr.example/r4" }))).toBe("done");
  });

  it("shows it on the list with what the tenant that keeps it is called now, at one query and one read", async () => {
    const [{ id: one, name }, { id: two }] = platform.tenants;
    const input = (index: 0 | 1) => providerInput(platform.sandboxes[index], { clientSecret: "its-own" });
    const own = await createFhirProvider(platform.ctx, input(0), one);
    const others = await createFhirProvider(platform.ctx, input(1), two);
    const theirs = await addProvider();
    const rename = (to: string) =>
      platform.ctx.platform.inTenant(one).commit([update(keys.tenantDirectory(), { set: { name: to } })], {
        category: "configuration_change",
        action: "tenant.update",
        resourceType: "Tenant",
      });
    await rename("Renamed");
    platform.aws.resetUsage();
    const listed = await listFhirProviders(platform.ctx);
    expect(platform.aws.usage().map(({ operation }) => operation)).toEqual(["Query", "BatchGetItem"]);
    const ownerOf = (id: string) => listed.find((provider) => provider.id === id)?.ownerTenantName;
    expect([own, others, theirs].map(({ id }) => ownerOf(id))).toEqual(["Renamed", "Clinic 2", null]);
    await rename(name);
  });
});

describe("a tenant's record system", () => {
  it("is assigned, replaced and taken away in all places at once, each with its audit, and for no other tenant", async () => {
    const [one, two] = platform.tenants;
    const [first, second] = [await addProvider(), await addProvider()];
    const before = (await audits(one.id)).length;
    const others = await assignmentOf(two.id, first.id, second.id);
    await assignFhirProvider(platform.ctx, one.id, first.id);
    expect(await assignmentOf(one.id, first.id, second.id)).toEqual([first.id, first.id, [first.id]]);
    await assignFhirProvider(platform.ctx, one.id, second.id);
    expect(await assignmentOf(one.id, first.id, second.id)).toEqual([second.id, second.id, [second.id]]);
    await assignFhirProvider(platform.ctx, one.id, null);
    expect(await assignmentOf(one.id, first.id, second.id)).toEqual([undefined, undefined, []]);
    expect((await audits(one.id)).slice(before).map(({ action, resourceId }) => [action, resourceId])).toEqual([
      ["fhirProvider.assign", one.id],
      ["fhirProvider.assign", one.id],
      ["fhirProvider.unassign", one.id],
    ]);
    expect(await assignmentOf(two.id, first.id, second.id)).toEqual(others);
  });

  it("is a change of the tenant: it raises its version everywhere, and a version that is gone is refused", async () => {
    const [, two] = platform.tenants;
    const [first, second] = [await addProvider(), await addProvider()];
    const [before = 0] = await versionsOf(two.id);
    expect(await assignFhirProvider(platform.ctx, two.id, first.id, before)).toEqual({ fhirProviderId: first.id, version: before + 1 });
    expect(await versionsOf(two.id)).toEqual([before + 1, before + 1]);
    for (const id of [second.id, first.id, null])
      expect(await codeOf(assignFhirProvider(platform.ctx, two.id, id, before))).toBe("stale_version");
    expect(await assignFhirProvider(platform.ctx, two.id, first.id, before + 1)).toEqual({ fhirProviderId: first.id, version: before + 1 });
    expect(await assignFhirProvider(platform.ctx, two.id, null, before + 1)).toEqual({ fhirProviderId: null, version: before + 2 });
    expect(await versionsOf(two.id)).toEqual([before + 2, before + 2]);
  });

  it("changes nothing when it is assigned again", async () => {
    const [one] = platform.tenants;
    const provider = await addProvider();
    await assignFhirProvider(platform.ctx, one.id, provider.id);
    const before = await audits(one.id);
    await assignFhirProvider(platform.ctx, one.id, provider.id);
    expect(await audits(one.id)).toEqual(before);
  });

  it("must exist, as must the tenant", async () => {
    const [one] = platform.tenants;
    const provider = await addProvider();
    const before = await assignmentOf(one.id);
    expect(await codeOf(assignFhirProvider(platform.ctx, newId(), provider.id))).toBe("not_found");
    expect(await codeOf(assignFhirProvider(platform.ctx, newId(), null))).toBe("not_found");
    expect(await codeOf(assignFhirProvider(platform.ctx, one.id, newId()))).toBe("not_found");
    expect(await assignmentOf(one.id)).toEqual(before);
  });

  it("is one and the same everywhere, whoever assigned at the same time", async () => {
    const [, two] = platform.tenants;
    const providers = await Promise.all(Array.from({ length: 4 }, () => addProvider()));
    for (let round = 0; round < 5; round++) {
      const outcomes = await Promise.all(
        [...providers.map(({ id }) => id), null].map((id) => codeOf(assignFhirProvider(platform.ctx, two.id, id))),
      );
      const [chosen, listed, used] = await assignmentOf(two.id, ...providers.map(({ id }) => id));
      expect([listed, used]).toEqual([chosen, chosen === undefined ? [] : [chosen]]);
      expect(outcomes.every((outcome) => outcome === "done" || outcome === "stale_version" || outcome === "unavailable")).toBe(true);
    }
  });
});
