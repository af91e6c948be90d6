import { deadlineIn, isAppError } from "@vitaline/core";
import { type FhirTokenRow, keys, type TenantRow, update } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Platform, providerInput, startPlatform } from "../fhir-providers.fixture.ts";
import { assignFhirProvider, checkFhirProvider, createFhirProvider, prefetchEhr, openEhr } from "../index.ts";

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
}, 60_000);
afterAll(() => platform.close());

/** Both tenants, each with a new provider at its own sandbox. */
let tenants: [TenantRow, TenantRow];
beforeEach(async () => {
  await Promise.all(platform.sandboxes.map(({ origin }) => fetch(`${origin}/faults`, { method: "DELETE" })));
  tenants = (await Promise.all(
    platform.tenants.map(async ({ id }, index) => {
      const provider = await createFhirProvider(platform.ctx, providerInput(platform.sandboxes[index as 0 | 1]));
      await assignFhirProvider(platform.ctx, id, provider.id);
      return platform.readTenant(id);
    }),
  )) as [TenantRow, TenantRow];
});

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    (error: unknown) => (isAppError(error) ? error.code : String(error)),
  );
const fault = (body: object) => fetch(`${platform.sandboxes[0].origin}/faults`, { method: "POST", body: JSON.stringify(body) });
const tokenRow = (tenant: TenantRow) => platform.ctx.platform.get(keys.fhirToken(tenant.fhirProviderId ?? "", ""));
/** Records the requests of a context and the statuses of their responses. */
const counting = (ctx: PlatformContext) => {
  const calls: { operation?: string; httpStatus?: number }[] = [];
  const log: PlatformContext["log"] = (_, __, fields = {}) => void calls.push(fields);
  return {
    ctx: { ...ctx, log },
    tokens: () => calls.filter(({ operation }) => operation === "token").length,
    asked: (wanted: string) => calls.filter(({ operation }) => operation === wanted).length,
    statuses: () => new Set(calls.map(({ httpStatus }) => httpStatus)),
  };
};
/** Another function instance, with empty caches. */
const anotherInstance = async () => {
  vi.resetModules();
  const [{ openEhr: open }, { allowLoopback }] = await Promise.all([import("../index.ts"), import("@vitaline/outbound")]);
  allowLoopback("arn:aws:lambda:us-east-1:000000000000:function:vitaline-voice");
  return open;
};

describe("a tenant's EHR", () => {
  it("is the assigned one, and no other", async () => {
    const [one, two] = await Promise.all(tenants.map((tenant) => openEhr(platform.at({}), tenant)));
    expect([one?.providerId, two?.providerId]).toEqual(tenants.map(({ fhirProviderId }) => fhirProviderId));
    expect(await one?.search("Patient", { _count: "1" }, { maxResources: 1 })).toMatchObject([{ resourceType: "Patient" }]);
  });

  it("does not exist without an assignment or while it is disabled", async () => {
    const [tenant] = tenants;
    expect(await codeOf(openEhr(platform.ctx, { ...tenant, fhirProviderId: undefined }))).toBe("ehr_not_configured");
    expect(await codeOf(openEhr(platform.ctx, { ...tenant, fhirProviderId: "unknown" }))).toBe("ehr_not_configured");
    const off = await createFhirProvider(platform.ctx, providerInput(platform.sandboxes[0], { isActive: false }));
    expect(await codeOf(openEhr(platform.ctx, { ...tenant, fhirProviderId: off.id }))).toBe("ehr_not_configured");
  });

  it("costs one read, which can be prefetched, and is gone at once when it is disabled", async () => {
    const [tenant] = tenants;
    const key = keys.fhirProvider(tenant.fhirProviderId ?? "");
    const readsOf = async (work: () => Promise<unknown>) => {
      platform.aws.resetUsage();
      await work();
      return platform.aws.usage().map(({ operation }) => operation);
    };
    const ahead = () => prefetchEhr(platform.ctx, tenant.id);
    expect(await readsOf(() => openEhr(platform.ctx, tenant))).toEqual(["BatchGetItem"]);
    const prefetched = await ahead();
    expect(await readsOf(() => openEhr(platform.ctx, tenant, { prefetched }))).toEqual([]);
    await platform.ctx.platform.commit([update(key, { set: { isActive: false } })], {
      category: "configuration_change",
      action: "fhirProvider.test",
      resourceType: "FhirProvider",
    });
    expect(await codeOf(openEhr(platform.ctx, tenant))).toBe("ehr_not_configured");
    expect(await codeOf(openEhr(platform.ctx, tenant, { prefetched: await ahead() }))).toBe("ehr_not_configured");
  });
});

describe("access tokens", () => {
  it("are requested once for concurrent callers, also across instances", async () => {
    const [tenant] = tenants;
    const opens = [openEhr, await anotherInstance(), await anotherInstance()];
    const counter = counting(platform.at({}));
    const results = await Promise.all(
      opens.flatMap((open) =>
        Array.from({ length: 4 }, async () => {
          const ehr = await open(counter.ctx, tenant);
          return codeOf(ehr.search("Slot", { _count: "1" }, { maxResources: 1 }));
        }),
      ),
    );
    expect([new Set(results), counter.tokens()]).toEqual([new Set(["done"]), 1]);
  });

  it("are sealed in their row and serve a cold instance without a request to the EHR", async () => {
    const [tenant, stranger] = tenants;
    await (await openEhr(platform.at({}), tenant)).search("Slot", {}, { maxResources: 1 });
    const row = await tokenRow(tenant);
    expect(row).toMatchObject({ sealed: expect.stringMatching(/^v1\./), tokenExpiresAt: expect.any(String) });
    expect(row).not.toHaveProperty("leaseOwner");
    const counter = counting(platform.at({}));
    const open = await anotherInstance();
    expect(await codeOf((await open(counter.ctx, tenant)).search("Slot", {}, { maxResources: 1 }))).toBe("done");
    expect([counter.tokens(), await tokenRow(stranger)]).toEqual([0, undefined]);
  });

  it("that another instance got in the meantime serve the next holder of the lease", async () => {
    const [tenant] = tenants;
    const counter = counting(platform.at({}));
    const open = await anotherInstance();
    const opened = await open(counter.ctx, tenant);
    await (await openEhr(platform.at({}), tenant)).search("Slot", {}, { maxResources: 1 });
    expect(await codeOf(opened.search("Slot", {}, { maxResources: 1 }))).toBe("done");
    expect([counter.tokens(), (await tokenRow(tenant))?.leaseOwner]).toEqual([0, undefined]);
  });

  it("are replaced once when the EHR refuses them, for all instances", async () => {
    const [tenant] = tenants;
    await (await openEhr(platform.at({}), tenant)).search("Slot", {}, { maxResources: 1 });
    const before = await tokenRow(tenant);
    await fault({ kind: "401-once" });
    const counter = counting(platform.at({}));
    expect(await codeOf((await openEhr(counter.ctx, tenant)).search("Slot", {}, { maxResources: 1 }))).toBe("done");
    expect(counter.tokens()).toBe(1);
    expect((await tokenRow(tenant))?.sealed).not.toBe(before?.sealed);
  });

  it("are renewed before they expire", async () => {
    const [tenant] = tenants;
    await (await openEhr(platform.at({}), tenant)).search("Slot", {}, { maxResources: 1 });
    const counter = counting(platform.at({ laterMs: 271_000 }));
    // The sandbox's clock would refuse an assertion from the future; it is enough that the token was requested.
    expect(await codeOf((await openEhr(counter.ctx, tenant)).search("Slot", {}, { maxResources: 1 }))).toBe("ehr_auth");
    expect(counter.tokens()).toBe(1);
  });

  it("are not used with another URL, client or scopes", async () => {
    const [tenant] = tenants;
    await (await openEhr(platform.at({}), tenant)).search("Slot", {}, { maxResources: 1 });
    const key = keys.fhirProvider(tenant.fhirProviderId ?? "");
    await platform.ctx.platform.commit([update(key, { set: { baseUrl: platform.sandboxes[1].r4.baseUrl } })], {
      category: "configuration_change",
      action: "fhirProvider.test",
      resourceType: "FhirProvider",
    });
    const counter = counting(platform.at({}));
    const open = await anotherInstance();
    expect(await codeOf((await open(counter.ctx, tenant)).search("Slot", {}, { maxResources: 1 }))).toBe("done");
    expect([counter.tokens(), counter.statuses()]).toEqual([1, new Set([200])]);
  });

  it("leave no lease behind when the EHR refuses", async () => {
    const [tenant] = tenants;
    await fault({ kind: "503", match: { path: "/oauth2" } });
    expect(await codeOf((await openEhr(platform.at({ deadlineMs: 700 }), tenant)).search("Slot", {}))).toBe("ehr_unavailable");
    expect(await tokenRow(tenant)).not.toHaveProperty("leaseOwner");
  });

  it("are waited for while another instance holds the lease, which is taken over when that instance dies", async () => {
    const [tenant] = tenants;
    const lease = { leaseOwner: "dead", leaseUntilMs: Date.now() + 600, expiresAt: Math.floor(Date.now() / 1000) + 600 };
    const key = keys.fhirToken(tenant.fhirProviderId ?? "", "");
    await platform.ctx.platform.writeUnaudited<FhirTokenRow>(update(key, { set: lease }));
    expect(await codeOf((await openEhr({ ...platform.ctx, deadline: deadlineIn(200) }, tenant)).search("Slot", {}))).toBe("ehr_timeout");
    expect(await codeOf((await openEhr(platform.at({}), tenant)).search("Slot", {}, { maxResources: 1 }))).toBe("done");
  });
});

describe("a token for one tool", () => {
  const slots = ["system/Slot.rs"];
  const patients = ["system/Patient.rs"];
  const rowFor = (tenant: TenantRow, scopes: string[]) =>
    platform.ctx.platform.get(keys.fhirToken(tenant.fhirProviderId ?? "", scopes.join(" ")));

  it("allows only what the tool needs, even if the connection has more scopes", async () => {
    const [tenant] = tenants;
    const ehr = await openEhr(platform.at({}), tenant, { scopes: slots });
    expect(await codeOf(ehr.search("Slot", { _count: "1" }, { maxResources: 1 }))).toBe("done");
    expect(await codeOf(ehr.read("Patient", platform.sandboxes[0].patients[0]!.id))).toBe("ehr_forbidden");
    const other = await openEhr(platform.at({}), tenant, { scopes: patients });
    expect(await codeOf(other.read("Patient", platform.sandboxes[0].patients[0]!.id))).toBe("done");
  });

  it("is stored in its own row and shared by all callers with the same scopes, in any order", async () => {
    const [tenant] = tenants;
    const both = ["system/Slot.rs", "system/Patient.rs"];
    const opens = [openEhr, await anotherInstance()];
    const counter = counting(platform.at({}));
    const asks = [both, both.toReversed(), slots].flatMap((scopes) =>
      opens.map(async (open) => {
        const ehr = await open(counter.ctx, tenant, { scopes });
        return codeOf(ehr.search("Slot", { _count: "1" }, { maxResources: 1 }));
      }),
    );
    expect([new Set(await Promise.all(asks)), counter.tokens()]).toEqual([new Set(["done"]), 2]);
    const [ofBoth, ofSlots] = [await rowFor(tenant, both.toSorted()), await rowFor(tenant, slots)];
    expect(ofBoth?.sealed).not.toBe(ofSlots?.sealed);
    expect([ofBoth?.sealed !== undefined, ofSlots?.sealed !== undefined, await tokenRow(tenant)]).toEqual([true, true, undefined]);
  });

  it("that was prefetched is used only for the same scopes", async () => {
    const [tenant] = tenants;
    await (await openEhr(platform.at({}), tenant, { scopes: slots })).search("Slot", {}, { maxResources: 1 });
    const open = await anotherInstance();
    const { prefetchEhr: foresee } = await import("../index.ts");
    await open(platform.at({}), tenant, { scopes: slots });
    const counter = counting(platform.at({}));
    const prefetched = await foresee(counter.ctx, tenant.id, { scopes: slots });
    platform.aws.resetUsage();
    await (await open(counter.ctx, tenant, { scopes: slots, prefetched })).search("Slot", {}, { maxResources: 1 });
    expect([counter.tokens(), platform.aws.usage()]).toEqual([0, []]);
    const ehr = await open(counter.ctx, tenant, { scopes: patients, prefetched });
    expect(await codeOf(ehr.read("Patient", platform.sandboxes[0].patients[0]!.id))).toBe("done");
    expect(counter.tokens()).toBe(1);
  });

  it("outside the connection's scopes is refused without a request", async () => {
    const [tenant] = tenants;
    const counter = counting(platform.at({}));
    for (const scopes of [["system/Communication.c"], ["system/Slot.rs", "system/Slot.u"], ["system/*.rs"]])
      expect(await codeOf(openEhr(counter.ctx, tenant, { scopes }))).toBe("ehr_not_allowed");
    expect(counter.statuses()).toEqual(new Set());
  });
});

describe("a server's capability", () => {
  const asked = (counter: ReturnType<typeof counting>) => counter.asked("metadata");
  const row = (tenant: TenantRow) => platform.ctx.platform.get(keys.fhirCapability(tenant.fhirProviderId ?? "", "main"));
  const looked = async (open: typeof openEhr, ctx: PlatformContext, tenant: TenantRow) =>
    (await (await open(ctx, tenant)).capability()).supports("Patient", "read");

  it("is requested once for concurrent callers, also across instances", async () => {
    const [tenant] = tenants;
    const opens = [openEhr, await anotherInstance(), await anotherInstance()];
    const counter = counting(platform.at({}));
    const answers = await Promise.all(opens.flatMap((open) => Array.from({ length: 4 }, () => looked(open, counter.ctx, tenant))));
    expect([new Set(answers), asked(counter)]).toEqual([new Set([true]), 1]);
    expect(await row(tenant)).toMatchObject({ compressedCapability: expect.any(String), connectionDigest: expect.any(String) });
    expect(await row(tenant)).not.toHaveProperty("leaseOwner");
  });

  it("is stored in a small row that a cold instance reads with the provider's, and a warm one does not", async () => {
    const [tenant, stranger] = tenants;
    await looked(openEhr, platform.at({}), tenant);
    const open = await anotherInstance();
    const counter = counting(platform.at({}));
    const used = async () => {
      platform.aws.resetUsage();
      expect(await looked(open, counter.ctx, tenant)).toBe(true);
      return platform.aws.usage();
    };
    const [cold, warm] = [await used(), await used()];
    expect([cold, warm].map((usage) => usage.map(({ operation }) => operation))).toEqual([["BatchGetItem"], ["BatchGetItem"]]);
    expect(JSON.stringify(await row(tenant)).length).toBeLessThan(8000);
    expect(warm[0]!.readUnits).toBeLessThan(cold[0]!.readUnits);
    expect([asked(counter), await row(stranger)]).toEqual([0, undefined]);
  });

  it("is stored by the connection test, and requested again after an hour or when the connection changes", async () => {
    const [tenant] = tenants;
    const id = tenant.fhirProviderId ?? "";
    await checkFhirProvider(platform.at({}), id);
    const counter = counting(platform.at({}));
    const open = await anotherInstance();
    expect([await looked(openEhr, counter.ctx, tenant), await looked(open, counter.ctx, tenant), asked(counter)]).toEqual([true, true, 0]);
    const later = counting(platform.at({ laterMs: 3_700_000 }));
    expect([await looked(openEhr, later.ctx, tenant), asked(later)]).toEqual([true, 1]);
    await platform.ctx.platform.commit([update(keys.fhirProvider(id), { set: { baseUrl: platform.sandboxes[1].r4.baseUrl } })], {
      category: "configuration_change",
      action: "fhirProvider.test",
      resourceType: "FhirProvider",
    });
    const moved = counting(platform.at({}));
    expect([await looked(openEhr, moved.ctx, tenant), asked(moved)]).toEqual([true, 1]);
  });

  it("leaves no lease behind when the server does not state it", async () => {
    const [tenant] = tenants;
    await fault({ kind: "503", match: { path: "/r4/metadata" } });
    expect(await codeOf(looked(openEhr, platform.at({ deadlineMs: 700 }), tenant))).toBe("ehr_unavailable");
    expect(await row(tenant)).not.toHaveProperty("leaseOwner");
  });
});

describe("a caller that waits for a token", () => {
  const ended = (ms: number) => AbortSignal.timeout(ms);
  const searched = (ctx: PlatformContext, tenant: TenantRow, signal?: AbortSignal) =>
    openEhr(ctx, tenant).then((ehr) => codeOf(ehr.search("Slot", { _count: "1" }, { maxResources: 1, signal })));

  it("has a lease that lasts as long as a tool call, so that no other instance requests meanwhile, and that ends soon after its holder died", async () => {
    const [tenant] = tenants;
    await fault({ kind: "slow", delayMs: 800, match: { path: "/oauth2" } });
    const asked = searched(platform.at({ deadlineMs: 20_000 }), tenant);
    await vi.waitFor(async () => expect((await tokenRow(tenant))?.leaseUntilMs).toBeGreaterThan(Date.now() + 8000), { timeout: 20_000 });
    expect((await tokenRow(tenant))?.leaseUntilMs).toBeLessThan(Date.now() + 12_000);
    expect(await asked).toBe("done");
    expect(await tokenRow(tenant)).not.toHaveProperty("leaseUntilMs");
  });

  it("for another instance's lease stops with its own signal, long before the request ends", async () => {
    const [tenant] = tenants;
    const lease = { leaseOwner: "busy", leaseUntilMs: Date.now() + 4000, expiresAt: Math.floor(Date.now() / 1000) + 600 };
    await platform.ctx.platform.writeUnaudited<FhirTokenRow>(update(keys.fhirToken(tenant.fhirProviderId ?? "", ""), { set: lease }));
    const ctx = platform.at({ deadlineMs: 8000 });
    expect(await searched(ctx, tenant, ended(300))).toBe("ehr_timeout");
    expect(ctx.deadline.remainingMs()).toBeGreaterThan(5000);
    // Nothing continues in the background: the row is as the other instance left it.
    const row = await tokenRow(tenant);
    expect(row).toMatchObject(lease);
  });

  it("for a slow token endpoint stops with its own signal, and keeps no lease", async () => {
    const [tenant] = tenants;
    await fault({ kind: "slow", delayMs: 2000, match: { path: "/oauth2" } });
    const ctx = platform.at({ deadlineMs: 8000 });
    expect(await searched(ctx, tenant, ended(300))).toBe("ehr_timeout");
    expect(ctx.deadline.remainingMs()).toBeGreaterThan(6500);
    expect(await tokenRow(tenant)).not.toHaveProperty("leaseOwner");
  });

  it("together with a caller with less time continues alone", async () => {
    const [tenant] = tenants;
    await fault({ kind: "slow", delayMs: 800, match: { path: "/oauth2" } });
    const answers = [
      searched(platform.at({}), tenant, ended(300)),
      searched(platform.at({}), tenant),
      searched(platform.at({}), tenant, ended(350)),
    ];
    expect(await Promise.all(answers)).toEqual(["ehr_timeout", "done", "ehr_timeout"]);
  });

  it("together with a caller whose request ends first continues alone", async () => {
    const [tenant] = tenants;
    await fault({ kind: "slow", delayMs: 800, match: { path: "/oauth2" } });
    const answers = [searched(platform.at({ deadlineMs: 600 }), tenant), searched(platform.at({}), tenant)];
    expect(await Promise.all(answers)).toEqual(["ehr_timeout", "done"]);
  });
});

describe("slot locks", () => {
  it("are held by one of many, also across tenants of one EHR, and free again when released", async () => {
    const [tenant, other] = tenants;
    const shared = { ...other, fhirProviderId: tenant.fhirProviderId };
    const ehrs = await Promise.all([tenant, shared, tenant].map((each) => openEhr(platform.at({}), each)));
    const locked = await Promise.all(ehrs.map((ehr, index) => ehr.lockSlot("slot-1", `owner-${index}`)));
    expect(locked.toSorted()).toEqual(["acquired", "taken", "taken"]);
    const winner = locked.indexOf("acquired");
    const [ehr] = ehrs;
    await ehr?.releaseSlotLock("slot-1", "owner-of-nothing");
    expect(await ehr?.lockSlot("slot-1", "late")).toBe("taken");
    expect(await ehr?.lockSlot("slot-1", `owner-${winner}`)).toBe("acquired");
    await ehr?.releaseSlotLock("slot-1", `owner-${winner}`);
    expect(await ehr?.lockSlot("slot-1", "late")).toBe("acquired");
  });

  it("admit one request of an owner at a time: the same one again, or another when the first has ended or must have died", async () => {
    const [tenant] = tenants;
    const by = (requestId: string, laterMs = 0) => openEhr({ ...platform.at({ laterMs }), requestId }, tenant);
    const ehrs = await Promise.all(["r0", "r1", "r2"].map((requestId) => by(requestId)));
    const locked = await Promise.all(ehrs.map((ehr) => ehr.lockSlot("slot-3", "owner")));
    expect(locked.toSorted()).toEqual(["acquired", "busy", "busy"]);
    const first = locked.indexOf("acquired");
    const others = [0, 1, 2].filter((index) => index !== first);
    expect(await ehrs[first]!.lockSlot("slot-3", "owner")).toBe("acquired");
    // Another request's lock cannot be released.
    await ehrs[others[0]!]!.releaseSlotLock("slot-3", "owner");
    expect(await ehrs[others[0]!]!.lockSlot("slot-3", "owner", { endedAttemptId: "r9" })).toBe("busy");
    // Both know that the first has ended, and still only one gets the lock.
    const next = await Promise.all(others.map((index) => ehrs[index]!.lockSlot("slot-3", "owner", { endedAttemptId: `r${first}` })));
    expect(next.toSorted()).toEqual(["acquired", "busy"]);
    expect(await (await by("r3", 25_000)).lockSlot("slot-3", "owner")).toBe("busy");
    expect(await (await by("r3", 35_000)).lockSlot("slot-3", "owner")).toBe("acquired");
    expect(await (await by("r4", 35_000)).lockSlot("slot-3", "stranger")).toBe("taken");
    await (await by("r4")).clearSlotLock("slot-3", "owner");
    expect(await (await by("r4")).lockSlot("slot-3", "stranger")).toBe("acquired");
  });

  it("tell a call that an earlier request of its own has the slot, working at it or with an outcome that is not known", async () => {
    const [tenant] = tenants;
    const by = (requestId: string, laterMs = 0) => openEhr({ ...platform.at({ laterMs }), requestId }, tenant);
    const [mine, others] = [{ ownerGroup: "one" }, { ownerGroup: "two" }];
    expect(await (await by("r0")).lockSlot("slot-4", "request-1", mine)).toBe("acquired");
    expect(await (await by("r1", 5000)).lockSlot("slot-4", "request-2", mine)).toBe("busy");
    expect(await (await by("r2", 35_000)).lockSlot("slot-4", "request-3", mine)).toBe("unknown");
    expect(await (await by("r3", 35_000)).lockSlot("slot-4", "request-4", others)).toBe("taken");
    expect(await (await by("r4", 125_000)).lockSlot("slot-4", "request-5", mine)).toBe("acquired");
  });

  it("are separate for each EHR and expire", async () => {
    const [one, two] = await Promise.all(tenants.map((tenant) => openEhr(platform.at({}), tenant)));
    expect([await one?.lockSlot("slot-2", "a"), await two?.lockSlot("slot-2", "b")]).toEqual(["acquired", "acquired"]);
    const later = await openEhr(platform.at({ laterMs: 125_000 }), tenants[0]);
    expect(await later.lockSlot("slot-2", "c")).toBe("acquired");
  });
});
