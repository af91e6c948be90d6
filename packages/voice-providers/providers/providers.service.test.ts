import { unseal } from "@vitaline/aws";
import { ChangedVoiceProvider, NewVoiceProvider, type VoiceProvider } from "@vitaline/contract";
import { newId } from "@vitaline/core";
import { create, keys, remove, update, type TenantContext, type TenantRow } from "@vitaline/store";
import { maxVoiceProviders } from "@vitaline/tenants";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { jsonObjects } from "../../../test/kit/json-values.ts";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { addTenantRow } from "../../../test/kit/store/tenant-row.ts";
import { createVoiceProvider, listAllVoiceProviders, listVoiceProviders, tenantOfVoiceProvider, updateVoiceProvider } from "../index.ts";

let it: TestAws;
let one: TenantContext;
let two: TenantContext;
beforeEach(async () => {
  it = await startTestAws();
  for (const [index, id] of it.tenants.entries()) await addTenantRow(it.platform(), id, ["One", "Two"][index] ?? "");
  [one, two] = it.tenants.map((id) => it.inTenant(id, { kind: "user", id: "root", role: "system_admin" })) as [
    TenantContext,
    TenantContext,
  ];
});
afterEach(() => it.close());

const apiKey = "vapi-private-key-0042";
const webhookSecret = "hook-secret-0815";
const input = (more: object = {}, config: object = {}) =>
  NewVoiceProvider.parse({ providerType: "vapi", providerName: "Front desk", config: { apiKey, ...config }, ...more });
const change = (body: object) => ChangedVoiceProvider.parse(body);
const page = { limit: 200 };
const rowsOf = async (ctx: TenantContext) => (await listVoiceProviders(ctx, page)).rows;
const secretsOf = async (ctx: TenantContext, id: string) => {
  const [key, webhook] = await ctx.store.batchGet([keys.sealedVoiceKey(id), keys.hook(id)]);
  return {
    key: key && (await unseal("voice-provider-key", ctx.tenantId, key.ciphertext)),
    webhook: webhook?.ciphertext && (await unseal("webhook", ctx.tenantId, webhook.ciphertext)),
  };
};

test("D2.3-007 a provider is the tenant's alone, active and not the default unless told; its secrets lie in the vault and in no answer", async () => {
  const made = await createVoiceProvider(one, input({ webhookSecret }, { settings: { deep: { a: [1] } }, voice: "" }));
  expect(made).toMatchObject({
    tenantId: one.tenantId,
    isDefault: false,
    isActive: true,
    version: 1,
    config: { baseUrl: null, voice: null, settings: { deep: { a: [1] } }, hasApiKey: true, apiKeyLast4: "0042", hasWebhookSecret: true },
  });
  expect(await rowsOf(one)).toEqual([made]);
  expect(await rowsOf(two)).toEqual([]);
  expect(await tenantOfVoiceProvider(it.platform(), made.id)).toBe(one.tenantId);
  expect(await secretsOf(one, made.id)).toEqual({ key: apiKey, webhook: webhookSecret });
  const { rows: audit } = await one.store.query(
    keys.tenantPartitions.audit(one.tenantId, new Date().toISOString().slice(0, 7), "configuration_change"),
  );
  expect(audit.at(-1)).toMatchObject({ action: "voiceProvider.create", actorId: "root", resourceId: made.id });
  const shown = JSON.stringify([made, await rowsOf(one), await listAllVoiceProviders(it.platform(), { limit: 100 }), audit]);
  expect(shown).not.toContain(apiKey);
  expect(shown).not.toContain(webhookSecret);
});

test("of a key so short that its end would be much of it nothing is shown", async () => {
  expect((await createVoiceProvider(one, input({}, { apiKey: "short-key" }))).config).toMatchObject({ hasApiKey: true, apiKeyLast4: null });
});

test("D2.7-015 a change keeps omitted fields and secrets; empty text clears all but the key", async () => {
  const made = await createVoiceProvider(
    one,
    input({ webhookSecret }, { baseUrl: "https://api.eu.vapi.ai/", model: "m", voice: "v", settings: { a: 1 } }),
  );
  expect(made.config.baseUrl).toBe("https://api.eu.vapi.ai");
  const merged = await updateVoiceProvider(one, made.id, change({ config: { ...made.config, apiKey: "", voice: "" } }), undefined);
  expect(merged).toEqual({ ...made, config: { ...made.config, voice: null }, version: 2 });
  expect(await secretsOf(one, made.id)).toEqual({ key: apiKey, webhook: webhookSecret });

  const rekeyed = await updateVoiceProvider(
    one,
    made.id,
    change({
      providerName: "Night desk",
      config: { apiKey: "another-private-key-7777", baseUrl: null },
      webhookSecret: "new-secret-of-a-hook-1",
      isActive: false,
    }),
    merged.version,
  );
  expect(rekeyed).toMatchObject({
    providerName: "Night desk",
    isActive: false,
    config: { apiKeyLast4: "7777", baseUrl: null, model: "m" },
  });
  expect(await secretsOf(one, made.id)).toEqual({ key: "another-private-key-7777", webhook: "new-secret-of-a-hook-1" });

  const bare = await updateVoiceProvider(one, made.id, change({ removeWebhookSecret: true }), undefined);
  expect(bare.config).toMatchObject({ hasWebhookSecret: false, apiKeyLast4: "7777" });
  expect((await secretsOf(one, made.id)).webhook).toBeUndefined();
  expect((await rowsOf(one)).find(({ id }) => id === made.id)).toEqual(bare);
  expect((await listAllVoiceProviders(it.platform(), page)).rows.find(({ id }) => id === made.id)).toMatchObject({
    providerName: "Night desk",
    isActive: false,
  });
});

const hookOf = async (ctx: TenantContext, id: string) => {
  const hook = await ctx.store.get(keys.hook(id));
  const { ciphertext, previous, ...row } = hook ?? {};
  return {
    ...row,
    secret: ciphertext && (await unseal("webhook", ctx.tenantId, ciphertext)),
    ...(previous ? { previous: await unseal("webhook", ctx.tenantId, previous.ciphertext) } : {}),
  };
};

test("a hook knows its tenant, platform and secret from the provider's first moment, and follows every change of it", async () => {
  const { id, config } = await createVoiceProvider(one, input());
  expect(config.webhookUrl).toBe(`http://localhost/api/vapi/hook/${id}`);
  const bare = { tenantId: one.tenantId, providerType: "vapi", isActive: true, secret: undefined };
  expect(await hookOf(one, id)).toEqual(bare);
  const after = async (body: object) => {
    await updateVoiceProvider(one, id, change(body), undefined);
    return hookOf(one, id);
  };
  expect(await after({ webhookSecret })).toEqual({ ...bare, secret: webhookSecret });
  expect(await after({ config: { apiKey: "another-private-key-7777" } })).toEqual({ ...bare, secret: webhookSecret });
  const rotated = { ...bare, secret: "rotated-secret-1", previous: webhookSecret };
  expect(await after({ webhookSecret: "rotated-secret-1" })).toEqual(rotated);
  expect(await after({ isActive: false })).toEqual({ ...rotated, isActive: false });
  expect(await after({ isActive: true, webhookSecret: "" })).toEqual(rotated);
  expect(await after({ removeWebhookSecret: true })).toEqual(bare);
  expect(await it.platform().platform.get(keys.hookBeforeTenant(id))).toEqual({
    tenantId: one.tenantId,
    providerType: "vapi",
    isActive: true,
  });
  await expect(updateVoiceProvider(two, id, change({ webhookSecret }), undefined)).rejects.toMatchObject({ code: "not_found" });
  expect(await hookOf(one, id)).toEqual(bare);
});

test("Retell AI signs with its API key, the newest one, while no other secret is typed", async () => {
  const { id, config } = await createVoiceProvider(one, input({ providerType: "retellai" }));
  expect(config).toMatchObject({ hasWebhookSecret: false, webhookUrl: `http://localhost/api/retell/hook/${id}` });
  const after = async (body: object) => {
    await updateVoiceProvider(one, id, change(body), undefined);
    return (await hookOf(one, id)).secret;
  };
  expect((await hookOf(one, id)).secret).toBe(apiKey);
  expect(await after({ config: { apiKey: "retell-key-0002" } })).toBe("retell-key-0002");
  expect(await after({ providerName: "Renamed" })).toBe("retell-key-0002");
  expect(await after({ webhookSecret })).toBe(webhookSecret);
  expect(await after({ config: { apiKey: "retell-key-0003" } })).toBe(webhookSecret);
  expect(await after({ removeWebhookSecret: true })).toBe("retell-key-0003");
  expect(await after({ webhookSecret })).toBe(webhookSecret);
  expect(await after({ removeWebhookSecret: true, config: { apiKey: "retell-key-0004" } })).toBe("retell-key-0004");
  const { id: typed } = await createVoiceProvider(one, input({ providerType: "retellai", webhookSecret }));
  expect((await hookOf(one, typed)).secret).toBe(webhookSecret);
});

test("a provider from before there were hooks gets a whole one with its next change", async () => {
  const { id } = await createVoiceProvider(one, input({ providerType: "retellai" }));
  const audit = { category: "configuration_change", action: "voiceProvider.update", resourceType: "VoiceProvider" } as const;
  await one.store.commit([remove(keys.hook(id))], audit);
  await updateVoiceProvider(one, id, change({ providerName: "Renamed" }), undefined);
  expect(await hookOf(one, id)).toEqual({ tenantId: one.tenantId, providerType: "retellai", isActive: true, secret: apiKey });
});

test("a hook created or changed in an inactive tenant is suspended, and creation fails while the tenant is being deactivated", async () => {
  const off = it.inTenant(newId());
  await addTenantRow(it.platform(), off.tenantId, "Switched off");
  const audit = { category: "configuration_change", action: "tenant.update", resourceType: "Tenant" } as const;
  const turn = (isActive: boolean) => off.store.commit([update(keys.tenantConfig(), { set: { isActive } })], audit);
  const before = await createVoiceProvider(off, input({ webhookSecret }));
  await turn(false);
  const { id } = await createVoiceProvider(off, input({ webhookSecret }));
  expect(await hookOf(off, id)).toMatchObject({ suspended: true, isActive: true });
  await updateVoiceProvider(off, before.id, change({ webhookSecret: "typed-meanwhile-1" }), undefined);
  expect(await hookOf(off, before.id)).toMatchObject({ suspended: true, secret: "typed-meanwhile-1" });

  const commit: TenantContext["store"]["commit"] = async (...args) => {
    await turn(true);
    return off.store.commit(...args);
  };
  const late: TenantContext = { ...off, store: { ...off.store, commit } };
  await expect(createVoiceProvider(late, input())).rejects.toMatchObject({ code: "stale_version" });
  await turn(false);
  await expect(updateVoiceProvider(late, id, change({ isActive: false }), undefined)).rejects.toMatchObject({ code: "stale_version" });
});

test("a tenant has no more providers than are switched off together with it, also where many are made at once", async () => {
  const many = it.inTenant(newId());
  await addTenantRow(it.platform(), many.tenantId, "Many");
  const { id } = await createVoiceProvider(many, input());
  const row = (await many.store.get(keys.voiceProvider(id)))!;
  // A tenant row without the count of providers.
  await many.store.commit(
    [
      ...Array.from({ length: maxVoiceProviders - 4 }, (_, n) => create(keys.voiceProvider(`p${n}`), { ...row, id: `p${n}` })),
      update<TenantRow>(keys.tenantConfig(), { remove: ["voiceProviderCount"] }),
    ],
    { category: "configuration_change", action: "voiceProvider.create", resourceType: "VoiceProvider" },
  );
  const count = async () => [(await rowsOf(many)).length, (await many.store.get(keys.tenantConfig()))?.voiceProviderCount];
  await createVoiceProvider(many, input());
  expect(await count()).toEqual([maxVoiceProviders - 2, maxVoiceProviders - 2]);
  const racing = atOnce(many, 8);
  const tries = await Promise.allSettled(Array.from({ length: 8 }, () => createVoiceProvider(racing, input())));
  expect(await count()).toEqual([maxVoiceProviders, maxVoiceProviders]);
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  for (const refused of tries.filter((each) => each.status === "rejected")) expect(refused.reason).toMatchObject({ code: "stale_version" });
  await expect(createVoiceProvider(many, input())).rejects.toMatchObject({ code: "not_doable" });
});

test("D2.4-010 a provider's type never changes; naming it again is no change", async () => {
  const { id } = await createVoiceProvider(one, input());
  await expect(updateVoiceProvider(one, id, change({ providerType: "openai" }), undefined)).rejects.toMatchObject({
    code: "invalid_request",
    fields: { providerType: "Cannot change" },
  });
  expect(await updateVoiceProvider(one, id, change({ providerType: "vapi" }), undefined)).toMatchObject({ providerType: "vapi" });
});

test("a base URL that may not be called is refused on create and on change", async () => {
  const { id } = await createVoiceProvider(one, input());
  for (const baseUrl of [
    "http://api.vapi.ai",
    "https://127.0.0.1",
    "https://169.254.169.254/x",
    "https://u:p@api.vapi.ai",
    "https://api.vapi.ai/?a=1",
  ]) {
    const refused = { code: "invalid_request", fields: { "config.baseUrl": expect.stringContaining("Must") as string } };
    await expect(createVoiceProvider(one, input({}, { baseUrl }))).rejects.toMatchObject(refused);
    await expect(updateVoiceProvider(one, id, change({ config: { baseUrl } }), undefined)).rejects.toMatchObject(refused);
  }
});

test("a stored key is not sent to an address that is typed later: the key must be typed again", async () => {
  const { id } = await createVoiceProvider(one, input({}, { apiKey: "typed-for-the-first-one" }));
  const elsewhere = { baseUrl: "https://elsewhere.example" };
  await expect(updateVoiceProvider(one, id, change({ config: elsewhere }), undefined)).rejects.toMatchObject({
    code: "invalid_request",
    fields: { "config.apiKey": expect.any(String) as string },
  });
  const moved = await updateVoiceProvider(one, id, change({ config: { ...elsewhere, apiKey: "typed-for-the-second" } }), undefined);
  expect(moved.config).toMatchObject(elsewhere);
});

/** A context whose commits wait until all requests have read. */
const atOnce = (ctx: TenantContext, count: number): TenantContext => {
  const { promise: allThere, resolve } = Promise.withResolvers<void>();
  let there = 0;
  const commit: TenantContext["store"]["commit"] = async (...args) => {
    if (++there === count) resolve();
    await allThere;
    return ctx.store.commit(...args);
  };
  return { ...ctx, store: { ...ctx.store, commit } };
};

test("one of several concurrent changes of the default succeeds and the others are refused; the other tenant's stays", async () => {
  const [a, b, foreign] = await Promise.all([
    createVoiceProvider(one, input()),
    createVoiceProvider(one, input()),
    createVoiceProvider(two, input({ isDefault: true })),
  ]);
  const defaults = async (ctx: TenantContext) => (await rowsOf(ctx)).filter(({ isDefault }) => isDefault).map(({ id }) => id);
  const name = (id: string, isDefault: boolean) => updateVoiceProvider(one, id, change({ isDefault }), undefined);

  expect(await defaults(one)).toEqual([]);
  await name(a.id, true);
  await name(b.id, false);
  expect(await defaults(one)).toEqual([a.id]);
  await name(b.id, true);
  expect(await defaults(one)).toEqual([b.id]);
  const raced = async (...contenders: ((ctx: TenantContext) => Promise<VoiceProvider>)[]) => {
    const known = (await rowsOf(one)).map(({ id }) => id);
    const racing = atOnce(one, contenders.length);
    const tries = await Promise.allSettled(contenders.map((contend) => contend(racing)));
    const [won, ...others] = tries.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(others).toEqual([]);
    for (const lost of tries.filter((each) => each.status === "rejected")) expect(lost.reason).toMatchObject({ code: "stale_version" });
    expect(await defaults(one)).toEqual(won?.isDefault ? [won.id] : []);
    expect(await rowsOf(one)).toHaveLength(new Set([...known, won?.id]).size);
    return won?.id ?? "";
  };
  const create = (ctx: TenantContext) => createVoiceProvider(ctx, input({ isDefault: true }));
  const naming = (id: string, isDefault: boolean) => (ctx: TenantContext) => updateVoiceProvider(ctx, id, change({ isDefault }), undefined);
  await name(b.id, false);
  const first = await raced(naming(a.id, true), naming(b.id, true), create);
  await raced(create, naming(first, false), naming(first === a.id ? b.id : a.id, true), create);
  for (const id of await defaults(one)) await name(id, false);
  expect(await defaults(one)).toEqual([]);
  expect(await defaults(two)).toEqual([foreign.id]);
});

test("one of two changes with the same version is refused; without a version both succeed", async () => {
  const { id, version } = await createVoiceProvider(one, input());
  const changes = ["A", "B"].map((providerName) => change({ providerName }));
  const seen = await Promise.allSettled(changes.map((each) => updateVoiceProvider(one, id, each, version)));
  expect(seen.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await Promise.all(changes.map((each) => updateVoiceProvider(one, id, each, undefined)));
  expect((await one.store.get(keys.voiceProvider(id)))?.version).toBe(4);
  await expect(updateVoiceProvider(one, id, change({ isActive: false }), 1)).rejects.toMatchObject({ code: "stale_version" });
});

test("an id of the other tenant, of an office or of nothing is not found", async () => {
  const { id } = await createVoiceProvider(one, input());
  for (const [ctx, asked] of [
    [two, id],
    [one, "0".repeat(26)],
    [it.inTenant("0".repeat(26)), id],
  ] as const)
    await expect(updateVoiceProvider(ctx, asked, change({ isActive: false }), undefined)).rejects.toMatchObject({ code: "not_found" });
  await expect(tenantOfVoiceProvider(it.platform(), "0".repeat(26))).rejects.toMatchObject({ code: "not_found" });
  await expect(createVoiceProvider(it.inTenant("0".repeat(26)), input())).rejects.toMatchObject({ code: "not_found" });
  await expect(listVoiceProviders(it.inTenant("0".repeat(26)), page)).rejects.toMatchObject({ code: "not_found" });
});

test("the list over all tenants is newest first, names the tenants as they are called now, and costs one query and one read a page", async () => {
  const made = [
    await createVoiceProvider(one, input({ providerName: "older" })),
    await createVoiceProvider(two, input({ providerName: "newer" })),
  ];
  await it
    .platform()
    .platform.inTenant(two.tenantId)
    .commit([update(keys.tenantDirectory(), { set: { name: "Two, renamed" } })], {
      category: "configuration_change",
      action: "tenant.update",
      resourceType: "Tenant",
    });
  it.resetUsage();
  const first = await listAllVoiceProviders(it.platform(), { limit: 2 });
  expect(it.usage().map(({ operation }) => operation)).toEqual(["Query", "BatchGetItem"]);
  expect(first.rows).toMatchObject([
    { id: made[1]?.id, tenantId: two.tenantId, tenantName: "Two, renamed" },
    { id: made[0]?.id, tenantId: one.tenantId, tenantName: "One" },
  ]);
  const rest = await listAllVoiceProviders(it.platform(), { limit: 100, cursor: first.next });
  const listed = [...first.rows, ...rest.rows];
  const all = listed.map(({ id }) => id);
  expect(all).toEqual(all.toSorted().toReversed());
  expect(new Set(all).size).toBe(all.length);
  expect(listed.filter(({ tenantId }) => it.tenants.includes(tenantId))).toHaveLength(
    (await rowsOf(one)).length + (await rowsOf(two)).length,
  );
});

test("a tenant's own list comes in pages when it is long, and costs one trip", async () => {
  const all = await rowsOf(one);
  it.resetUsage();
  const first = await listVoiceProviders(one, { limit: 2 });
  expect(
    it
      .usage()
      .map(({ operation }) => operation)
      .sort(),
  ).toEqual(["GetItem", "Query"]);
  const rest = await listVoiceProviders(one, { limit: 200, cursor: first.next });
  expect([...first.rows, ...rest.rows]).toEqual(all);
});

test("settings of any JSON are returned unchanged", async () => {
  const { id } = await createVoiceProvider(two, input());
  await fc.assert(
    // "__proto__" would set the object's prototype and is left out.
    fc.asyncProperty(
      jsonObjects.filter((each) => !Object.hasOwn(each, "__proto__")),
      async (settings) => {
        const plain = JSON.parse(JSON.stringify(settings)) as Record<string, unknown>;
        const changed = await updateVoiceProvider(two, id, change({ config: { settings: plain } }), undefined);
        expect(changed.config.settings).toEqual(plain);
        expect((await rowsOf(two)).find((one) => one.id === id)?.config.settings).toEqual(plain);
      },
    ),
    { numRuns: 100, endOnFailure: true },
  );
  const settings = { deep: nested(60), big: 1e300 };
  expect((await createVoiceProvider(two, input({}, { settings }))).config.settings).toEqual(settings);
});
const nested = (depth: number): unknown => (depth === 0 ? "end" : { in: nested(depth - 1) });

test("input is validated: names, keys that fit into a header, settings of 8 KB", () => {
  const messages = (body: object) =>
    Object.fromEntries((NewVoiceProvider.safeParse(body).error?.issues ?? []).map((issue) => [issue.path.join("."), issue.message]));
  const good = { providerType: "vapi", providerName: "x", config: { apiKey } };
  expect(messages(good)).toEqual({});
  expect(messages({ ...good, providerName: " " })).toEqual({ providerName: "Provider name is required" });
  expect(messages({ ...good, config: {} })).toEqual({ "config.apiKey": "API key is required" });
  expect(messages({ ...good, config: { apiKey: " " } })).toEqual({ "config.apiKey": "API key is required" });
  expect(messages({ ...good, config: { apiKey: "a\r\nb" } })).toEqual({ "config.apiKey": "Must not contain spaces or accents" });
  expect(messages({ ...good, config: { apiKey, settings: { a: "x".repeat(8200) } } })).toEqual({
    "config.settings": "Must be a JSON object of at most 8 KB",
  });
  expect(messages({ ...good, config: { apiKey, baseUrl: "nowhere" } })).toEqual({ "config.baseUrl": "Must be a valid URL" });
  expect(messages({ ...good, config: { apiKey, model: "x".repeat(201) } })).toEqual({ "config.model": "Must be at most 200 characters" });
  for (const none of ["", " ", null]) {
    const config = NewVoiceProvider.parse({ ...good, config: { apiKey, baseUrl: none, model: none, voice: none } }).config;
    expect(config).toMatchObject({ baseUrl: null, model: null, voice: null });
  }
  const deep = JSON.parse(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`) as object;
  expect(messages({ ...good, config: { apiKey, settings: deep } })).toHaveProperty(["config.settings"]);
  expect(messages({ ...good, config: { apiKey, hasApiKey: true } })).toHaveProperty(["config"]);
  expect(ChangedVoiceProvider.safeParse({ config: { hasApiKey: true, apiKeyLast4: null } }).success).toBe(true);
  expect(ChangedVoiceProvider.safeParse({ config: { secret: "x" } }).success).toBe(false);
});

test("a webhook secret that could be guessed, or cannot be the platform's, is refused by its field", async () => {
  for (const [providerType, secret] of [
    ["vapi", "fifteen-letters"],
    ["openai", "whsec_"],
    ["openai", "whsec_!!not-base64-at-all!!"],
  ])
    await expect(createVoiceProvider(one, input({ providerType, webhookSecret: secret }))).rejects.toMatchObject({
      code: "invalid_request",
      fields: { webhookSecret: expect.stringMatching(/^Must be /) },
    });
  const made = await createVoiceProvider(one, input({ providerType: "openai", webhookSecret: `whsec_${btoa("sixteen letters!")}` }));
  await expect(updateVoiceProvider(one, made.id, change({ webhookSecret: "short" }), undefined)).rejects.toMatchObject({
    code: "invalid_request",
  });
});
